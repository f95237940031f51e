"""Print sheets: pieces placed on pages with marks, folds, nets and rulers."""
