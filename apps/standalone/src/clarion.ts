import { COMMANDS } from './cli/commands';
import { runCommandLine } from './cli/run-command-line';

void runCommandLine(process.argv.slice(2), COMMANDS).then((code) => void (process.exitCode = code));
