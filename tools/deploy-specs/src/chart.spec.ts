import { CHART, chartValues, type Values, valueFaults } from './chart';
import { configOf, read, readYaml, SECRETS } from './repository';

const minimal = (): Values => readYaml<Values>(`${CHART}/values-minimal.yaml`);

describe('the values of k8s/helm/clarion', () => {
  it('accepts the values of the chart', () => {
    expect(valueFaults({})).toEqual([]);
    expect(valueFaults(minimal())).toEqual([]);
  });

  it.each<[what: string, over: Values, fault: RegExp]>([
    ['a misspelt name', { imagee: {} }, /additional properties/],
    ['a misspelt name of a role', { roles: { gateway: { replica: 2 } } }, /\/roles\/gateway .*additional properties/],
    ['a number as a setting', { settings: { CLARION_DATABASE_POOL: 10 } }, /CLARION_DATABASE_POOL must be string/],
    ['a secret as a setting', { settings: { DATABASE_URL: 'postgres://x' } }, /\/settings property name must be valid/],
    ['a digest that is none', { roles: { engine: { digest: 'latest' } } }, /\/roles\/engine\/digest/],
    ['an unknown way to scale', { scaling: { kind: 'vpa' } }, /\/scaling\/kind/],
    ['a hook that waits for a Postgres after it', { stores: { enabled: true } }, /must NOT be valid/],
  ])('rejects %s', (_what, over, fault) => {
    expect(valueFaults(over).join('\n')).toMatch(fault);
  });

  it('has settings that a process accepts', () => {
    const settings = chartValues()['settings'] as Record<string, string>;
    expect(configOf({ ...SECRETS, ...settings }).CLARION_CREDENTIALS_IN_RESPONSES).toBe('masked');
  });

  it('has the version of package.json', () => {
    const { version } = JSON.parse(read('package.json')) as { version: string };
    expect(readYaml(`${CHART}/Chart.yaml`)).toMatchObject({ version, appVersion: version });
  });
});
