"""`python -m twice` is the command `twice`."""

from twice.cli.main import main

if __name__ == "__main__":
    main()
