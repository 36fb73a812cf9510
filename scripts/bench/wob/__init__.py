"""The MiniWoB++ benchmark: policies that read only the task's sentence and a page's text."""
