import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { StruckTexts } from './struck-texts';

describe('StruckTexts', () => {
  let now = 0;
  const create = (): StruckTexts =>
    new StruckTexts(
      (environmentId) => environmentId[0]!,
      () => now,
    );
  const strike = (texts: StruckTexts, environmentId: string, text: string, times = 3): void => {
    for (let n = 0; n < times; n += 1) texts.strike(environmentId, text);
  };

  it('refuses a text of an environment for a while after three strikes without a success', () => {
    const texts = create();
    strike(texts, 'a1', 'x', 2);
    expect(texts.isRefused('a1', 'x')).toBe(false);
    texts.clear('a1', 'x');
    strike(texts, 'a1', 'x', 2);
    expect(texts.isRefused('a1', 'x')).toBe(false);
    strike(texts, 'a1', 'x', 1);
    expect(texts.isRefused('a1', 'x')).toBe(true);
    expect(texts.isRefused('a1', 'y')).toBe(false);
    expect(texts.isRefused('a2', 'x')).toBe(false);
    now += 5_000;
    expect(texts.isRefused('a1', 'x')).toBe(false);
    // It may try again, once.
    strike(texts, 'a1', 'x', 1);
    expect(texts.isRefused('a1', 'x')).toBe(true);
  });

  it('forgets strikes after a minute', () => {
    const texts = create();
    strike(texts, 'a1', 'x');
    strike(texts, 'b1', 'y');
    now += 60_000;
    expect(texts.isRefused('c1', 'z')).toBe(false);
    expect(texts.size).toBe(0);
    strike(texts, 'a1', 'x', 1);
    expect(texts.isRefused('a1', 'x')).toBe(false);
  });

  it('remembers a limited number for each tenant, and no tenant displaces the texts of another', () => {
    const texts = create();
    strike(texts, 'b1', 'x');
    for (let n = 0; n < 300; n += 1) texts.strike('a1', `a1 ${n}`);
    expect(texts.size).toBe(1 + 200);
    for (let n = 0; n < 300; n += 1) texts.strike('a2', `a2 ${n}`);
    for (let n = 0; n < 300; n += 1) texts.strike('a3', `a3 ${n}`);
    expect(texts.size).toBe(1 + 400);
    expect(texts.isRefused('b1', 'x')).toBe(true);
    // The last ones are remembered.
    strike(texts, 'a3', 'a3 299', 2);
    expect(texts.isRefused('a3', 'a3 299')).toBe(true);
    for (let organization = 0; organization < 9; organization += 1) {
      for (let n = 0; n < 400; n += 1) texts.strike(`${organization}${n % 2}`, `${n}`);
    }
    expect(texts.size).toBe(2_000);
  });

  it('keeps no text in memory', async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const used = (): number => {
      collect();
      return process.memoryUsage().heapUsed;
    };
    const texts = create();
    const before = used();
    for (let n = 0; n < 40; n += 1) texts.strike('a1', `€${n}`.padEnd(900_000, 'x'));
    await nextTurn();
    await nextTurn();
    expect(texts.size).toBe(40);
    expect(used() - before).toBeLessThan(4 * 1024 * 1024);
  });
});
