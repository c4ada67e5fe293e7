import 'reflect-metadata';
import { plainToInstance, Transform, Type } from 'class-transformer';
import {
  getMetadataStorage,
  IsBoolean,
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  Matches,
  Max,
  Min,
  MinLength,
  ValidateBy,
  validateSync,
} from 'class-validator';
import { databaseUrlFault, readRedisUrl, withoutTrailingSlashes } from '@clarion/contracts/core';
import { encryptionKeysFault } from '../crypto/secret-box';
import { allowEntryFault } from '../egress/address-rules';
import { isAddressOrRange } from '../egress/address-list';
import { parseProviderUrls, type ProviderUrls, providerUrlsFault } from '../egress/provider-urls';
import { readSecretFiles } from './secret-files';
import { fitShares, shareFaults } from './tenant-settings';

/** `true`, `false`, `1` or `0`; other values are left for the validation to reject. */
const flag = ({ value }: { value: unknown }): unknown => FLAGS.get(String(value)) ?? value;
const FLAGS = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);

const list = ({ value }: { value: unknown }): unknown =>
  typeof value === 'string'
    ? value
        .split(',')
        .map((entry) => entry.trim())
        .filter((entry) => entry !== '')
    : value;

/** A validation rule whose function returns the fault, as the end of a sentence. */
function NoFault(faultOf: (value: unknown) => string | undefined): PropertyDecorator {
  return ValidateBy({
    name: 'faultless',
    validator: {
      validate: (value) => faultOf(value) === undefined,
      defaultMessage: (about) => `${about!.property} ${faultOf(about!.value)}`,
    },
  });
}

function allowListFault(value: unknown): string | undefined {
  const faults = (value as string[]).flatMap((entry) => {
    const fault = allowEntryFault(entry);
    return fault ? [`${entry} ${fault}`] : [];
  });
  return faults.length > 0 ? `has entries that cannot be used: ${faults.join('; ')}` : undefined;
}

function proxyListFault(value: unknown): string | undefined {
  const faults = (value as string[]).filter((entry) => !isAddressOrRange(entry));
  return faults.length > 0
    ? `has entries that are neither IP addresses nor CIDR ranges: ${faults.join(', ')}`
    : undefined;
}

/** A scheme and host with an optional path prefix, so that paths can be appended. */
function publicUrlFault(value: unknown): string | undefined {
  const fault = 'must be an http(s) URL such as https://clarion.example.com, without query or login';
  if (typeof value !== 'string' || !URL.canParse(value)) return fault;
  const { protocol, username, password, search, hash } = new URL(value);
  return /^https?:$/.test(protocol) && [username, password, search, hash].join('') === '' ? undefined : fault;
}

/** It is sent in a header, which has no blanks at its ends. */
const operatorKeyFault = (value: unknown): string | undefined =>
  /^[\x21-\x7e]{32,}$/.test(String(value)) ? undefined : 'must have at least 32 characters of ASCII, without blanks';

function redisUrlFault(value: unknown): string | undefined {
  const read = readRedisUrl(String(value));
  return 'faults' in read ? read.faults.join('; it ') : undefined;
}

function collectorUrlFault(value: unknown): string | undefined {
  const isUrl = typeof value === 'string' && URL.canParse(value) && /^https?:$/.test(new URL(value).protocol);
  return isUrl ? undefined : 'must be an http(s) URL such as http://otel-collector:4318';
}

const withoutSlash = ({ value }: { value: unknown }): unknown =>
  typeof value === 'string' ? withoutTrailingSlashes(value) : value;

function WholeNumber(min: number, max: number): PropertyDecorator {
  const message = ({ property }: { property: string }): string =>
    `${property} must be a whole number from ${min} to ${max}`;
  return (target, property) => {
    for (const rule of [Type(() => Number), IsInt({ message }), Min(min, { message }), Max(max, { message })])
      rule(target, property);
  };
}

function Ratio(): PropertyDecorator {
  const message = ({ property }: { property: string }): string => `${property} must be a number from 0 to 1`;
  return (target, property) => {
    for (const rule of [Type(() => Number), Min(0, { message }), Max(1, { message })]) rule(target, property);
  };
}

/** Every variable that Clarion reads. Parsed once at start; all faults are reported together. */
export class Config {
  @WholeNumber(0, 65535) PORT: number = 3000;
  @IsString() HOST: string = '127.0.0.1';
  /** How long a caller may take to send a request and to read the response. */
  @WholeNumber(100, 3_600_000) CLARION_HTTP_TIMEOUT_MS: number = 60_000;
  /** How long an idle connection is kept; longer than proxies in front keep theirs. */
  @WholeNumber(0, 3_600_000) CLARION_HTTP_KEEP_ALIVE_MS: number = 72_000;
  /** Connections of one gateway process; one more is closed at once. */
  @WholeNumber(1, 1_000_000) CLARION_HTTP_CONNECTIONS: number = 10_000;
  /** Connected inboxes of one gateway process, of one organization and of one environment at it. */
  @WholeNumber(2, 1_000_000) CLARION_SOCKETS: number = 5_000;
  @WholeNumber(1, 1_000_000) CLARION_SOCKETS_PER_ORGANIZATION: number = 4_000;
  @WholeNumber(1, 1_000_000) CLARION_SOCKETS_PER_ENVIRONMENT: number = 3_000;
  /** The public URL of the gateway behind a proxy: providers sign the URL that they call. */
  @IsOptional() @Transform(withoutSlash) @NoFault(publicUrlFault) CLARION_PUBLIC_URL?: string;

  @IsOptional()
  @NoFault(databaseUrlFault)
  DATABASE_URL?: string;
  /** Postgres itself, when `DATABASE_URL` leads to a connection pooler: for migrations and the queue on Postgres. */
  @IsOptional() @NoFault(databaseUrlFault) CLARION_DATABASE_DIRECT_URL?: string;
  /** A standby that answers lists, and how far behind it may be. */
  @IsOptional() @NoFault(databaseUrlFault) CLARION_DATABASE_READ_URL?: string;
  @WholeNumber(1, 3_600) CLARION_DATABASE_READ_LAG_SECONDS: number = 10;
  @WholeNumber(2, 500) CLARION_DATABASE_POOL: number = 10;
  @IsOptional() @NoFault(redisUrlFault) REDIS_URL?: string;
  @IsOptional() @IsIn(['redis', 'postgres']) CLARION_QUEUE?: 'redis' | 'postgres';
  /** Prefix of every queue key, so that several installations may share one Redis. */
  @Matches(/^[a-zA-Z0-9_-]{1,40}$/) CLARION_QUEUE_PREFIX: string = 'clarion';

  @IsString() CLARION_DATA_DIR: string = '.clarion';
  @IsOptional() @MinLength(16) CLARION_API_KEY?: string;
  /** The key of the operator over HTTP: for the whole installation, and for what tenants cannot lift. */
  @IsOptional() @NoFault(operatorKeyFault) CLARION_OPERATOR_KEY?: string;
  @IsOptional() @IsString() CLARION_ENCRYPTION_KEY?: string;

  /** Private hosts, addresses and ranges that tenants may reach, on any port. */
  @Transform(list) @NoFault(allowListFault) CLARION_EGRESS_ALLOW: string[] = [];
  /** Base URLs of providers' APIs, in place of the real ones. */
  @Transform(parseProviderUrls) @NoFault(providerUrlsFault) CLARION_PROVIDER_URLS: ProviderUrls = {};

  /** Addresses and ranges of proxies whose X-Forwarded-* headers are trusted. */
  @Transform(list) @NoFault(proxyListFault) CLARION_TRUST_PROXY: string[] = [];

  @IsIn(['full', 'masked']) CLARION_CREDENTIALS_IN_RESPONSES: 'full' | 'masked' = 'full';
  @IsIn(['spec', 'novu']) CLARION_DIALECT: 'spec' | 'novu' = 'spec';
  @IsIn(['one', 'each']) CLARION_PROCESSES: 'one' | 'each' = 'one';
  /** The nice value of engines and workers. Above 0, accepting events comes before delivering on a busy machine. */
  @WholeNumber(0, 19) CLARION_NICE: number = 0;
  @IsOptional() @WholeNumber(1, 36_500) CLARION_RETENTION_DAYS?: number;
  /** How much history a new partition has. */
  @IsIn(['week', 'day']) CLARION_PARTITIONS: 'week' | 'day' = 'week';

  /** Environments of an organization, and organizations, that callers with a key may create. */
  @WholeNumber(1, 100_000) CLARION_MAX_ENVIRONMENTS: number = 100;
  @WholeNumber(1, 100_000) CLARION_MAX_ORGANIZATIONS: number = 500;

  @Transform(flag) @IsBoolean() CLARION_RATE_LIMIT: boolean = true;
  /** Per second, environment and gateway process; counted in events. */
  @WholeNumber(1, 1_000_000_000) CLARION_RATE_LIMIT_TRIGGER: number = 60_000;
  @WholeNumber(1, 1_000_000_000) CLARION_RATE_LIMIT_CONFIGURATION: number = 6_000;
  @WholeNumber(1, 1_000_000_000) CLARION_RATE_LIMIT_GLOBAL: number = 6_000;
  /** How many times the rate of an environment its organization, and a gateway process for all of them, may use. */
  @WholeNumber(1, 10_000) CLARION_RATE_LIMIT_ORGANIZATION: number = 2;
  @WholeNumber(2, 10_000) CLARION_RATE_LIMIT_GATEWAY: number = 100;
  /** Inbound webhook calls per second, integration and gateway process. */
  @WholeNumber(1, 1_000_000_000) CLARION_RATE_LIMIT_INBOUND: number = 6_000;

  /** Requests of the inbox per second and subscriber, and new sessions per second and address, in each gateway. */
  @WholeNumber(1, 1_000_000_000) CLARION_RATE_LIMIT_INBOX: number = 50;
  /** Subscribers that unsigned sessions may create, per second, environment and address; ten times that of all. */
  @WholeNumber(1, 1_000_000_000) CLARION_RATE_LIMIT_INBOX_SUBSCRIBERS: number = 5;

  /** The port for probes and Prometheus of processes other than the gateway; none without it. */
  @IsOptional() @WholeNumber(0, 65535) CLARION_OBSERVE_PORT?: number;
  /** After SIGTERM: how long to keep serving while not ready, and then how long to finish work in flight. */
  @WholeNumber(0, 600_000) CLARION_DRAIN_DELAY_MS: number = 0;
  @WholeNumber(0, 600_000) CLARION_DRAIN_MS: number = 20_000;
  /** Adds environment labels to the metrics, which multiplies the number of series. */
  @Transform(flag) @IsBoolean() CLARION_METRICS_ENVIRONMENTS: boolean = false;

  /** The bearer token for `/metrics` of the gateway; without it every caller can read them. */
  @IsOptional() @MinLength(16) CLARION_METRICS_TOKEN?: string;

  /** The API key of the system that `clarion import` reads. */
  @IsOptional() @IsString() CLARION_IMPORT_KEY?: string;

  @IsIn(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']) LOG_LEVEL: string = 'info';

  /** The OTLP/HTTP endpoint for spans; without it tracing is off. */
  @IsOptional() @Transform(withoutSlash) @NoFault(collectorUrlFault) OTEL_EXPORTER_OTLP_ENDPOINT?: string;
  /** The service name in traces; default `clarion-` and the role. */
  @IsOptional() @Matches(/^[\w.:/-]{1,100}$/) OTEL_SERVICE_NAME?: string;
  /** The share of the traces begun here that is recorded. */
  @Ratio() OTEL_TRACES_SAMPLER_ARG: number = 1;
}

/** Contains one sentence per fault, so that one start shows all of them. */
export class ConfigError extends Error {
  constructor(readonly faults: string[]) {
    super(
      [
        `The configuration has ${faults.length === 1 ? 'a fault' : `${faults.length} faults`}:`,
        ...faults.map((fault) => `  - ${fault}`),
      ].join('\n'),
    );
    this.name = 'ConfigError';
  }
}

type Variables = Record<string, string | undefined>;

/** The names of all variables: each has a rule. */
const VARIABLES: readonly string[] = [
  ...new Set(
    getMetadataStorage()
      .getTargetValidationMetadatas(Config, '', false, false)
      .map(({ propertyName }) => propertyName),
  ),
];

/** `required` names variables without a default that this process needs. */
export function loadConfig(required: (keyof Config)[] = [], environment: Variables = process.env): Config {
  const files = readSecretFiles(environment);
  const values: Variables = { ...environment, ...files.values };
  const given = Object.fromEntries(
    VARIABLES.flatMap((name) => (values[name] === undefined || values[name] === '' ? [] : [[name, values[name]]])),
  );
  const config = plainToInstance(Config, given);
  fitShares(config, given);
  const faults = validateSync(config, { stopAtFirstError: true }).flatMap((error) =>
    Object.values(error.constraints ?? {}).map((text) =>
      text.startsWith(error.property) ? text : `${error.property}: ${text}`,
    ),
  );
  faults.push(...shareFaults(config), ...files.faults);
  /** A secret whose file has a fault is not missing too. */
  const isMissing = (name: keyof Config): boolean => config[name] === undefined && !environment[`${name}_FILE`];
  if (config.DATABASE_URL && isMissing('CLARION_ENCRYPTION_KEY')) {
    faults.push(
      'CLARION_ENCRYPTION_KEY is required with DATABASE_URL: ' +
        '`kid:base64` with 32 random bytes, e.g. k1:$(openssl rand -base64 32)',
    );
  }
  if (config.CLARION_ENCRYPTION_KEY) {
    const fault = encryptionKeysFault(config.CLARION_ENCRYPTION_KEY);
    if (fault) faults.push(`CLARION_ENCRYPTION_KEY ${fault}`);
  }
  if (config.CLARION_OPERATOR_KEY !== undefined && config.CLARION_OPERATOR_KEY === config.CLARION_API_KEY) {
    faults.push('CLARION_OPERATOR_KEY must differ from CLARION_API_KEY, which belongs to an environment');
  }
  for (const name of required) if (isMissing(name)) faults.push(`${name} is required`);
  for (const name of ['CLARION_DATABASE_DIRECT_URL', 'CLARION_DATABASE_READ_URL'] as const) {
    if (config[name] && isMissing('DATABASE_URL')) faults.push(`${name} has no effect without DATABASE_URL`);
  }
  // With an external database no embedded Redis is started, and the Postgres queue would not be shared with the other
  // processes.
  if (required.includes('DATABASE_URL') && config.CLARION_QUEUE === 'redis' && isMissing('REDIS_URL'))
    faults.push('REDIS_URL is required with CLARION_QUEUE=redis');
  if (faults.length > 0) throw new ConfigError([...new Set(faults)]);
  return config;
}
