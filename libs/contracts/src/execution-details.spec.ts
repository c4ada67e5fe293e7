import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { EXECUTION_DETAILS, executionDetail, type ExecutionDetailRecord } from './execution-details';

const ROOT = join(__dirname, '../../..');
const RECORDS: ExecutionDetailRecord[] = Object.values(EXECUTION_DETAILS);

describe('executionDetail', () => {
  it('returns status, text and source of the named record', () => {
    expect(executionDetail('stepQueued')).toEqual({ status: 'Pending', detail: 'Step queued' });
    expect(executionDetail('messageBounced')).toEqual({
      status: 'Failed',
      detail: 'Message bounced',
      source: 'Webhook',
    });
  });

  it('replaces the part in braces by the given value', () => {
    expect(executionDetail('providerSelected', { provider: 'Twilio' }).detail).toBe('Twilio provider was selected');
    expect(executionDetail('runRuleFalse', { rule: '$&' }).detail).toBe('Step skipped: its $& rule is false');
  });

  it('requires a value for each part in braces at compile time', () => {
    // @ts-expect-error the provider is missing
    expect(executionDetail('providerSelected').detail).toBe('{provider} provider was selected');
    // @ts-expect-error the text has no part in braces
    expect(executionDetail('messageSent', { provider: 'Twilio' }).detail).toBe('Message sent');
  });
});

describe('EXECUTION_DETAILS', () => {
  it('has each text once per status', () => {
    const keys = RECORDS.map(({ status, detail }) => `${status}: ${detail}`);
    expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([]);
  });

  it('explains each text in one whole sentence', () => {
    expect(RECORDS.filter(({ when }) => !/^[A-Z][^|]*[^.]\.$/.test(when))).toEqual([]);
  });

  it('is the only place in the source that contains the texts', () => {
    // Migrations are frozen, so they repeat the texts of their time.
    const exempt = /\.spec\.ts$|execution-details\.ts$|^libs\/testing\/|\/migrations\//;
    const files = sources().filter((file) => !exempt.test(file));
    expect(files.length).toBeGreaterThan(300);
    const literals = RECORDS.map(({ detail }) => literalOf(detail));
    const found = files.flatMap((file) => {
      const source = readFileSync(join(ROOT, file), 'utf8').replaceAll(/^[ \t]*(?:\/?\*|\/\/).*$/gm, '');
      return literals.flatMap((literal) => source.match(literal)?.map((text) => `${file}: ${text}`) ?? []);
    });
    expect(found).toEqual([]);
  });
});

/** All TypeScript files under the `src` folders of apps and libs, as paths from the root. */
function sources(): string[] {
  return ['apps', 'libs'].flatMap((area) =>
    readdirSync(join(ROOT, area)).flatMap((project) => {
      const folder = join(area, project, 'src');
      if (!existsSync(join(ROOT, folder))) return [];
      const files = readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' });
      return files.filter((file) => file.endsWith('.ts')).map((file) => join(folder, file));
    }),
  );
}

/** Matches the text in quotes of any kind, also inside of an SQL statement. */
function literalOf(detail: string): RegExp {
  const escaped = detail.replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&').replaceAll(/\{\w+\}/g, '\\$?\\{[^}]+\\}');
  return new RegExp(`(['"\`])${escaped}\\1`, 'g');
}
