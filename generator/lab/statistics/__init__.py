"""What a number of games lets one say, and how surely: each method with its source, all from histograms."""
