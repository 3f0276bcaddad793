"""The report: one page about a memory, made of facts gathered once and charts drawn as plain SVG."""
