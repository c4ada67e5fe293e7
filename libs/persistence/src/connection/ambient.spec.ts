import { Ambient } from './ambient';

describe('Ambient', () => {
  it('keeps the values of several owners apart, also after a wait', async () => {
    const [one, other] = [new Ambient<string>(), new Ambient<string>()];
    const seen = (): (string | undefined)[] => [one.getStore(), other.getStore()];
    expect(seen()).toEqual([undefined, undefined]);
    await one.run('a', async () => {
      await Promise.resolve();
      expect(seen()).toEqual(['a', undefined]);
      await other.run('b', async () => {
        await Promise.resolve();
        expect(seen()).toEqual(['a', 'b']);
        expect(one.run('c', seen)).toEqual(['c', 'b']);
        expect(one.exit(seen)).toEqual([undefined, 'b']);
        expect(other.exit(seen)).toEqual(['a', undefined]);
        expect(one.run('d', () => other.run('e', () => one.exit(seen)))).toEqual([undefined, 'e']);
      });
      expect(seen()).toEqual(['a', undefined]);
    });
    expect(seen()).toEqual([undefined, undefined]);
  });
});
