// Nothing: what the import of any module takes.
export {}
