"""Workers of a batch: who carries out tasks, here or on a cluster."""
