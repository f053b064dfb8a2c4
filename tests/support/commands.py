"""All commands that take a word which is no option, such as the name of a file."""

from synth.cli import command_line


def leaves(group, before=()):
    """Yield such commands by their words, each with how many such words it takes."""
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from leaves(command, (*before, name))
        elif (count := sum(param.param_type_name == "argument" for param in command.params)) and name != "help":
            yield (*before, name), count


COMMANDS = dict(leaves(command_line()))
