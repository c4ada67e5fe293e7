import type { LoggerService } from '@nestjs/common';
import { type DestinationStream, type Logger, pino, type LoggerOptions as PinoOptions } from 'pino';
import { logFields } from './log-context';

export type { Logger } from 'pino';

/** The values of these keys are redacted in every log line. */
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

/** JSON lines, or readable lines in a terminal. */
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

/** Only the fields that describe the fault: a database error also carries its parameters, which are personal data. */
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { code } = error as Error & { code?: unknown };
  return { type: error.name, message: error.message, stack: error.stack, ...(code !== undefined && { code }) };
}

/** Writes Nest's messages (boot, module errors) to our log; its messages about routes only at debug level. */
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
