"""Print-and-play generator: YAML -> model -> drawings -> pages -> PDF, and checks that read the same model."""

__version__ = "1.0.0"
