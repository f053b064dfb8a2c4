"""Check components: what may be said, and of which type everything is. Each refusal names the component and label."""
