"""Controls that are set rather than typed into: lists, check boxes, sliders, grid cells."""
