import type { LoggerService } from '@nestjs/common';
import { type DestinationStream, type Logger, pino, type LoggerOptions as PinoOptions } from 'pino';
import { logFields } from './log-context';

export type { Logger } from 'pino';

/** Wherever such a key turns up in a log line, its value does not. */
const SECRET_PATHS = [
  'authorization',
  '*.authorization',
  'headers.authorization',
  'req.headers.authorization',
  'req.headers.cookie',
  ...[
    'apiKey',
    'secretKey',
    'token',
    'password',
    'apiToken',
    'serviceAccount',
    'accessKey',
    'credentials',
    'encryptedKey',
  ].flatMap((name) => [name, `*.${name}`, `*.*.${name}`]),
];

type LoggerOptions = { level: string; name: string; pretty?: boolean; destination?: DestinationStream };

/** JSON lines for machines; readable lines when a person watches a terminal. */
export function createLogger({ level, name, pretty, destination }: LoggerOptions): Logger {
  const settings: PinoOptions = {
    level,
    base: { app: name },
    mixin: logFields,
    redact: { paths: SECRET_PATHS, censor: '[secret]' },
    serializers: { err: describeError },
    timestamp: pino.stdTimeFunctions.isoTime,
    ...(pretty && {
      transport: {
        target: 'pino-pretty',
        options: { ignore: 'pid,hostname,app', translateTime: 'HH:MM:ss', singleLine: true },
      },
    }),
  };
  return destination ? pino(settings, destination) : pino(settings);
}

/** Only what tells the fault: a database error also carries its parameters, and those are people's data. */
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { code } = error as Error & { code?: unknown };
  return { type: error.name, message: error.message, stack: error.stack, ...(code !== undefined && { code }) };
}

/** Nest's own lines (boot, module errors) go where ours go; its chatter about routes does not. */
export class NestLogger implements LoggerService {
  constructor(private readonly logger: Logger) {}

  log(message: unknown, context?: string): void {
    this.logger.debug({ context }, String(message));
  }
  error(message: unknown, ...rest: unknown[]): void {
    this.logger.error({ context: rest.at(-1), ...(message instanceof Error && { err: message }) }, String(message));
  }
  warn(message: unknown, context?: string): void {
    this.logger.warn({ context }, String(message));
  }
  debug(message: unknown, context?: string): void {
    this.logger.debug({ context }, String(message));
  }
  verbose(message: unknown, context?: string): void {
    this.logger.trace({ context }, String(message));
  }
}
