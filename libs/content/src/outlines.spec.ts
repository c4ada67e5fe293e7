import { tenantShare } from '@clarion/contracts';
import { renderEmails } from './email';
import { Outlines } from './outlines';
import { TemplateRenderer } from './template-renderer';

describe('Outlines', () => {
  const read = (): Promise<string> => Promise.resolve('outline');

  it('reads a template once, when it is used for the second time', async () => {
    const outlines = new Outlines<string>(10_000, () => 1);
    const reading = jest.fn(read);
    expect(outlines.find('a', 'key', 1, reading)).toBeNull();
    const both = [outlines.find('a', 'key', 1, reading), outlines.find('a', 'key', 1, reading)];
    expect(await Promise.all(both.map(async (one) => await one))).toEqual(['outline', 'outline']);
    expect(outlines.find('a', 'key', 1, reading)).toBe('outline');
    expect(reading).toHaveBeenCalledTimes(1);
  });

  it('remembers that a template has no outline', async () => {
    const outlines = new Outlines<string>(10_000, () => 1);
    const reading = jest.fn(() => Promise.resolve(null));
    expect(await outlines.find('a', 'key', 2, reading)).toBeNull();
    expect(outlines.find('a', 'key', 2, reading)).toBeNull();
    expect(reading).toHaveBeenCalledTimes(1);
  });

  it('tries a template again after many uses when reading it failed', async () => {
    const outlines = new Outlines<string>(10_000, () => 1);
    expect(await outlines.find('a', 'key', 2, () => Promise.reject(new Error('ended')))).toBeNull();
    expect(await outlines.find('a', 'key', 2, read)).toBeNull();
    expect(await outlines.find('a', 'key', 1_000, read)).toBe('outline');
  });

  it('reads nothing without memory for outlines', () => {
    const reading = jest.fn(read);
    expect(new Outlines<string>(0, () => 1).find('a', 'key', 9, reading)).toBeNull();
    expect(reading).not.toHaveBeenCalled();
  });
});

describe('limits of filled messages', () => {
  const item = (name: string, others: string[] = []) => ({
    environmentId: 'a',
    controls: { subject: 'S', body: '<p>Hello {{ payload.name }}</p>' },
    variables: { payload: { name, others } },
    layout: '{{ content }}',
  });

  it.each([
    ['variables that are too large for a process', {}, item('Ann', Array<string>(9).fill('x'.repeat(1_000_000)))],
    ['an output that is too long', { outputCharacters: 40 }, item('x'.repeat(30))],
    [
      'a layout that makes the output too long',
      { outputCharacters: 40 },
      { ...item('x'), layout: '{{ content }}'.repeat(3) },
    ],
    ['an email without content', {}, { ...item(''), controls: { body: '{{ payload.name }}' }, layout: null }],
  ])('gives %s the same fault as composing does', async (_, limits, faulty) => {
    const filling = new TemplateRenderer(limits);
    const composing = new TemplateRenderer({ ...limits, outlineBytes: 0 });
    try {
      const items = [faulty, { ...faulty, variables: item('Ann').variables }, faulty];
      const expected = await renderEmails(composing, items);
      expect(expected[0]).toMatchObject({ ok: false });
      expect(await renderEmails(filling, items)).toEqual(expected);
      expect(await renderEmails(filling, items)).toEqual(expected);
    } finally {
      await Promise.all([filling.close(), composing.close()]);
    }
  });

  it('fills nothing after the renderer was closed', async () => {
    const renderer = new TemplateRenderer();
    await renderEmails(renderer, [item('Ann'), item('Bob')]);
    await renderer.close();
    await expect(renderEmails(renderer, [item('Ann')])).rejects.toThrow('The renderer is closed');
    await expect(renderer.renderMany([item('Ann')])).rejects.toThrow('The renderer is closed');
  });

  it('fills nothing for an environment without budget', async () => {
    const renderer = new TemplateRenderer({
      budget: { share: tenantShare({ environment: 1, organization: 1, gateway: 2 }), burstMs: 1_000 },
    });
    await renderEmails(renderer, [item('Ann'), item('Bob')]);
    renderer.debit('a', 10_000);
    await expect(renderEmails(renderer, [item('Ann')])).rejects.toThrow(/used up their processor time/);
    await expect(renderer.renderMany([item('Ann')])).rejects.toThrow(/used up their processor time/);
    await renderer.close();
  });
});
