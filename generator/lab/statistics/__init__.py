"""Statistics: confidence intervals and estimates from the results of many games."""
