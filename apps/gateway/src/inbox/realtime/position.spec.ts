import { markOf, Position } from './position';

const at = (time: number, id = '01a1e345-9531-7a37-92b6-7cfae7b83801') => ({ id, createdAt: new Date(time) });
const NOW = 1_800_000_000_000;
const bounds = { earliest: NOW - 3600_000, now: NOW };

describe('Position', () => {
  it('survives as text that a client sends back', () => {
    const position = Position.at(NOW - 1_000);
    const mark = markOf(at(NOW));
    position.add(mark, NOW);
    position.counts = '3-1-0-0-0-3';
    const read = Position.read(String(position), bounds)!;
    expect(read.since).toBe(NOW - 1_000);
    expect(read.counts).toBe('3-1-0-0-0-3');
    expect(read.has(mark)).toBe(true);
    expect(read.has(markOf(at(NOW + 1)))).toBe(false);
    expect(String(read)).toBe(String(position));
  });

  it('limits the time that a client asks for, and reads nothing else', () => {
    expect(Position.read(String(Position.at(1)), bounds)!.since).toBe(bounds.earliest);
    expect(Position.read(String(Position.at(NOW * 2)), bounds)!.since).toBe(NOW);
    for (const text of [
      undefined,
      7,
      '',
      '1',
      '2.0..',
      '1.-5..',
      `1.0..${'a'.repeat(8 * 65)}`,
      '1.0..abc',
      'x'.repeat(1e5),
    ])
      expect(Position.read(text, bounds)).toBeUndefined();
  });

  it('expects announcements of messages that were created shortly before the first connection', () => {
    const position = Position.at(NOW);
    expect(position.expects(at(NOW - 1_000))).toBe(true);
    expect(position.expects(at(NOW - 60_000))).toBe(false);
    expect(Position.read(String(position), bounds)!.expects(at(NOW - 1_000))).toBe(false);
  });

  it('forgets what is older than a commit can be late', () => {
    const position = Position.at(NOW);
    position.add('aaaaaaaa', NOW + 1_000);
    position.add('bbbbbbbb', NOW + 30_000);
    position.complete(NOW + 31_000);
    expect(position.since).toBe(NOW + 16_000);
    expect([position.has('aaaaaaaa'), position.has('bbbbbbbb')]).toEqual([false, true]);
    expect(position.expects(at(NOW + 1_000))).toBe(false);
  });

  it('names a bounded number of messages and moves on with the others', () => {
    const position = Position.at(NOW);
    for (let index = 1; index <= 100; index += 1) position.add(markOf(at(NOW + index)), NOW + index);
    expect(position.since).toBe(NOW + 36);
    expect(position.has(markOf(at(NOW + 37)))).toBe(true);
    expect(String(position).length).toBeLessThan(540);
    expect(Position.read(String(position), bounds)).toBeDefined();
  });

  it('takes a message that comes back for another arrival', () => {
    expect(markOf(at(NOW))).not.toBe(markOf(at(NOW + 1)));
    expect(markOf(at(NOW))).toMatch(/^[\w-]{8}$/);
  });
});
