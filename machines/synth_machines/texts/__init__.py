"""Read and write components as text, in the form of Camille and CamilleX: files `*.eventb`.

components = read_components(text)
text = written_components(components)
"""
