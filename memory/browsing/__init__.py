"""Reading through a bank: what it holds, page by page, without a question."""
