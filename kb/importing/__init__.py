"""Import: a folder or archive of Markdown, HTML and images becomes pages.

    tree --plan--> which file is which page --apply, one transaction each--> pages, links, images

``memory.trees`` reads folders and archives safely; ``planning`` names pages without a database;
``applying`` writes them through ``kb.intake``; ``jobs`` runs what was uploaded in the browser;
``conversion`` makes pages for corpora of references, which are no pages of the knowledge base.
"""
