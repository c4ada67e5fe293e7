import { readLine } from './arguments';
import { COMMANDS } from './commands';
import { command, type Option } from './command';
import { Output } from './output';
import { usageOf } from './usage';

const done = async (): Promise<void> => undefined;
const KNOWN = [
  command({ name: 'queues', canWatch: true, options: { all: {} }, run: done }),
  command({ name: 'queues drain', arguments: ['name', '[reason]'], options: { rate: { value: '<n>' } }, run: done }),
  command({ name: 'keys create', options: { allow: { value: '<IP>', isRepeated: true } }, run: done }),
];
const read = (line: string) => readLine(line.split(' ').filter(Boolean), KNOWN);

describe('the command line', () => {
  it('finds the longest command, its arguments and its options in any order', () => {
    expect(read('--json queues drain --rate 5 email')).toMatchObject({
      command: { name: 'queues drain' },
      arguments: ['email'],
      options: { rate: '5' },
      isJson: true,
    });
    expect(read('queues')).toMatchObject({ command: { name: 'queues' }, options: { all: false }, isJson: false });
    expect(read('keys create --allow a --allow=b').options).toEqual({ allow: ['a', 'b'] });
  });

  it('reads the optional seconds of --watch', () => {
    expect(read('queues --watch').watchSeconds).toBe(2);
    expect(read('queues --watch 0.5').watchSeconds).toBe(0.5);
    expect(read('queues --watch --all')).toMatchObject({ watchSeconds: 2, options: { all: true } });
  });

  it.each([
    ['queue', 'Unknown command "queue"; did you mean "queues"?'],
    ['keys', '"keys" needs one of: create'],
    ['queues drain', 'The name is missing'],
    ['queues drain a b c', '"queues drain" does not take "c"'],
    ['queues drain a --rte 5', '"queues drain" has no option --rte; did you mean --rate?'],
    ['queues drain a --watch', '"queues drain" has no option --watch'],
    ['queues drain a --rate', '--rate needs a value: <n>'],
    ['queues drain a --rate 1 --rate 2', '--rate was given twice'],
    ['queues --all=1', '--all takes no value'],
    ['queues --watch 0', '--watch takes seconds, not "0"'],
    ['queues --allow x', '"queues" has no option --allow'],
  ])('refuses "%s"', (line, message) => {
    expect(() => read(line)).toThrow(message);
  });

  it('shows every command in the usage, and an option has one form in all commands', () => {
    const usage = usageOf(COMMANDS);
    for (const { name } of COMMANDS) expect(usage).toContain(`\n  ${name}`);
    for (const line of usage.split('\n')) expect(line.length).toBeLessThanOrEqual(120);
    const forms = new Map<string, boolean>();
    for (const [name, option] of COMMANDS.flatMap(({ options = {} }) => Object.entries<Option>(options))) {
      expect([name, forms.get(name) ?? option.value !== undefined]).toEqual([name, option.value !== undefined]);
      forms.set(name, option.value !== undefined);
    }
  });
});

describe('the output of a command', () => {
  const stream = (terminal: { isTTY?: boolean; columns?: number; rows?: number } = {}) => {
    const written: string[] = [];
    return { ...terminal, written, write: (text: string | Uint8Array) => written.push(String(text)) > 0 };
  };

  it('fits a table into a terminal without cutting anything off', () => {
    const rows = [{ id: 'a', 'the reason': 'it is long' }, { id: 'bcd' }];
    const shown = (columns?: number) => {
      const out = stream({ isTTY: columns !== undefined, columns });
      new Output(false, out, stream()).show(rows);
      return out.written.join('');
    };
    const whole = 'id   the reason\na    it is long\nbcd  -\n';
    expect(shown()).toBe(whole);
    expect(shown(15)).toBe(whole);
    expect(shown(11)).toBe('id   the\n     reason\na    it is\n     long\nbcd  -\n');
    expect(shown(10)).toBe('id: a\n  the reason: it is long\n\nid: bcd\n  the reason: -\n');
    expect(shown(40)).toBe(whole);
  });

  it('writes no control characters of names and reasons to a terminal', () => {
    const out = stream({ isTTY: true, columns: 80 });
    new Output(false, out, stream()).show([{ reason: 'HTTP 503\r\n\u001b[2Jgone\u009b1m' }]);
    expect(out.written.join('')).toBe('reason\nHTTP 503   [2Jgone 1m\n');
  });

  it('draws a frame at once and clears only a terminal', async () => {
    const [terminal, file] = [stream({ isTTY: true, columns: 80 }), stream()];
    for (const out of [terminal, file]) {
      const output = new Output(false, out, stream());
      await output.redraw(async () => (output.line('one'), output.line('two')));
    }
    expect(terminal.written).toEqual(['\u001b[H\u001b[2Jone\ntwo\n']);
    expect(file.written).toEqual(['one\ntwo\n']);
    const unknown = stream({ isTTY: true, columns: 0, rows: 0 });
    const screen = new Output(false, unknown, stream());
    await screen.redraw(() => Promise.resolve(Array.from({ length: 30 }, (_, line) => screen.line(`line ${line}`))));
    expect(unknown.written.join('')).toContain('line 21\n(8 more lines; without --watch all are shown)\n');
    screen.show([{ id: 'a', reason: 'word '.repeat(40).trim() }]);
    expect(
      Math.max(
        ...unknown.written
          .join('')
          .split('\n')
          .map(({ length }) => length),
      ),
    ).toBeLessThanOrEqual(80);
    const low = stream({ isTTY: true, columns: 80, rows: 4 });
    const output = new Output(false, low, stream());
    await output.redraw(async () => ['first', 'a'.repeat(81), 'third'].forEach((text) => output.line(text)));
    expect(low.written).toEqual(['\u001b[H\u001b[2Jfirst\n(2 more lines; without --watch all are shown)\n']);
  });

  it('shows progress as a bar on a terminal and as few lines elsewhere', () => {
    const [terminal, file] = [stream({ isTTY: true }), stream()];
    for (const err of [terminal, file]) {
      const progress = new Output(false, stream(), err).progress('audit');
      for (const finished of [1, 2, 4]) progress.update(finished, 4);
      progress.end();
    }
    expect(terminal.written.at(-2)).toBe(`\r\u001b[Kaudit: [${'#'.repeat(30)}] 4 of 4 (100 %)`);
    expect(file.written).toEqual(['audit: 1 of 4 (25 %)\n', 'audit: 4 of 4 (100 %)\n']);
  });
});
