"""The program in a browser: what a browser lacks, behind the seams that are there.

It runs in Pyodide, in a worker of the page.  `thud_host` is the worker's own JavaScript
(`page/program.js`).
"""
