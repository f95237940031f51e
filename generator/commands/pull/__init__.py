"""Tables from the web: fetched when somebody asks for it, kept in the project, and never else."""
