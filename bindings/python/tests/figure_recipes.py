"""Small recipes whose pictures are tested."""
SPHERES = """schema = 1
kind = "scatter"
name = "dots"
sweep.wavelength = { start = "500 nm", stop = "700 nm", num = 5 }
numerics.lmax = 2
output.quantities = ["cross_sections", { name = "near_field", plane = "z = 0 nm", size = "300 nm", pixels = 9, wavelengths = ["600 nm"] }, { name = "far_field", wavelengths = ["600 nm"] }, "tmatrix"]
particle = [{ shape = "sphere", radius = "50 nm", material = { n = 1.5, k = 0.1 }, unit = "nm", positions = [[0, 0, 0], [120, 0, 0]] }]
"""
SHEET = """schema = 1
kind = "scatter"
name = "sheet"
sweep.wavelength = { start = "500 nm", stop = "700 nm", num = 5 }
numerics = { lmax = 1, orders_kmax = "14 rad/um" }
output.quantities = ["transmission", "orders", "cd"]
lattice = { vectors = [[400.0, 0.0], [0.0, 400.0]], unit = "nm" }
particle = [{ shape = "sphere", radius = "80 nm", material = { n = 2.0, k = 0.1 } }]
"""
