"""What is drawn over a composed figure to explain it: numbered callouts, arrows, halos, what is faded."""
