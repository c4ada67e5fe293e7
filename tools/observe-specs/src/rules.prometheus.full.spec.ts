import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { alertNames, OBSERVE, read } from './files';

/** The output of promtool when a check fails; empty otherwise. */
function objections(...args: string[]): string {
  const { status, stdout, stderr } = spawnSync('promtool', args, { cwd: OBSERVE, encoding: 'utf8' });
  return status === 0 ? '' : stdout + stderr;
}

type TestFile = { tests: { alert_rule_test?: { alertname: string; exp_alerts: unknown[] }[] }[] };

const testFiles = readdirSync(join(OBSERVE, 'tests'));

describe('k8s/observe/rules', () => {
  it('accepts the rules and the configuration that loads them', () => {
    expect(objections('check', 'rules', 'rules/clarion.yml')).toBe('');
    expect(objections('check', 'config', 'prometheus.yml')).toBe('');
  });

  it.each(testFiles)('behaves over hours and days as %s expects', (file) => {
    expect(objections('test', 'rules', `tests/${file}`)).toBe('');
  });

  it('has tests in which each alert fires and in which it stays silent', () => {
    const cases = testFiles.flatMap((file) =>
      (parse(read(`k8s/observe/tests/${file}`)) as TestFile).tests.flatMap((test) => test.alert_rule_test ?? []),
    );
    const namesWhere = (fires: boolean): string[] =>
      [...new Set(cases.filter((one) => one.exp_alerts.length > 0 === fires).map((one) => one.alertname))].toSorted();
    expect(namesWhere(true)).toEqual(alertNames().toSorted());
    expect(namesWhere(false)).toEqual(alertNames().toSorted());
  });
});
