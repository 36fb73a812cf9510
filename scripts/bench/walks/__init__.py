"""The flows of the economy benchmark: tasks on real applications, and a walk for each tool."""
