"""Progress of kernels: whether a launch must end under a progress model, over all orders of its steps."""
