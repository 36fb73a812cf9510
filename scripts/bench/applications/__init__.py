"""The benchmark on real applications: their catalog, their servers, the engines, the rounds."""
