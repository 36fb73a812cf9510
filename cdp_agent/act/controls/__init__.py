"""Controls that are not typed into: lists, check boxes, sliders, grid cells."""
