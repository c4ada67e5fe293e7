import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import type { JsonObject } from '@clarion/contracts';
import { corpus } from '@clarion/testing';
import { TemplateRenderer } from './template-renderer';

const NEVER_ENDS = '{% for a in (1..99999) %}{% for b in (1..99999) %}{% endfor %}{% endfor %}';
/** Half a megabyte of variables, and templates that expand it far more. */
const LONG = {
  payload: {
    long: 'a'.repeat(500_000),
    almost: `${'a'.repeat(50_000)}b${'a'.repeat(50_000)}`,
    signs: '€'.repeat(400_000),
  },
};
const LONG_CAPTURE = `{% capture a %}{% for i in (1..99999) %}${'x'.repeat(1_000)}{% endfor %}{% endcapture %}`;
const LIST_OF_LONG = `{% assign l = payload.long | split: "-" %}${'{% assign l = l | concat: l %}'.repeat(9)}`;
const LISTS_IN_LISTS = `{% assign l = payload.long | split: "-" %}${'{% assign l = l | push: l %}'.repeat(30)}`;
const DOUBLED = `{% assign s = "x" %}${'{% assign s = s | append: s %}'.repeat(18)}`;

/** Templates that would take all of the time or the memory. */
const BOMBS: [what: string, template: string][] = [
  ['a range without end', '{% for a in (1..999999999) %}{% endfor %}'],
  ['output without end', `{% for a in (1..99999) %}${'x'.repeat(100)}{% endfor %}`],
  [
    'a value that doubles',
    `{% assign a = "0123456789" %}${'{% capture a %}{{a}}{{a}}{% endcapture %}'.repeat(40)}{{a}}`,
  ],
  ['a loop without end', NEVER_ENDS],
  ['a long text in a filter', `${LONG_CAPTURE}{{ a | url_encode | size }}`],
  ['a list of long texts in a filter', `${LIST_OF_LONG}{{ l | upcase | size }}`],
  ['a list of long texts in a sentence', `${LIST_OF_LONG}{{ l | toSentence: "", 0 | size }}`],
  ['a list of long texts as it is', `${LIST_OF_LONG}{% capture z %}{{ l }}{% endcapture %}`],
  ['a list in a list in a list', `${LISTS_IN_LISTS}{{ l }}`],
  ['signs that take nine characters each', '{{ payload.signs | url_encode | url_encode | size }}'],
  ['a text in place of each of its characters', `${DOUBLED}{{ s | replace: "x", s | size }}`],
  ['a text between each of its characters', `${DOUBLED}{{ s | split: "" | join: s | size }}`],
  ['a date without end', '{{ "now" | date: "%400000000Y" | size }}'],
  ['a search that the engine does not interrupt', '{{ payload.long | replace: payload.almost, "" }}'],
];

describe('TemplateRenderer', () => {
  const renderers: TemplateRenderer[] = [];
  const renderer = (...options: ConstructorParameters<typeof TemplateRenderer>): TemplateRenderer => {
    renderers.push(new TemplateRenderer(...options));
    return renderers.at(-1)!;
  };
  afterEach(async () => {
    await Promise.all(renderers.splice(0).map((one) => one.close()));
  });

  const body = (text: string, variables: JsonObject = {}, environmentId = 'e') => ({
    environmentId,
    controls: { body: text },
    variables,
  });
  const hello = (name: string) => body('Hello {{payload.name}}', { payload: { name } });
  const helloOf = (name: string) => ({ ok: true, controls: { body: `Hello ${name}` } });
  const tooCostly = (reason: RegExp) => ({
    ok: false,
    fault: { path: 'body', message: expect.stringMatching(new RegExp(`^is too costly: .*${reason.source}`)) },
  });

  it('renders texts at every depth and leaves other values and the skip rule unchanged', async () => {
    const rule = { '==': [{ var: 'payload.name' }, '{{payload.name}}'] };
    expect(
      await renderer().render({
        environmentId: 'e',
        controls: {
          subject: 'Hi {{payload.name}}',
          data: { list: ['{{subscriber.firstName}}', 'plain', 7, true, null], again: 'Hi {{payload.name}}' },
          skip: rule,
        },
        variables: { payload: { name: 'Ada' }, subscriber: { firstName: 'Grace' } },
      }),
    ).toEqual({
      ok: true,
      controls: {
        subject: 'Hi Ada',
        data: { list: ['Grace', 'plain', 7, true, null], again: 'Hi Ada' },
        skip: rule,
      },
    });
  });

  it('returns results in the order of the items, successes and faults alike', async () => {
    const items = [
      hello('A'),
      body('{% nonsense %}'),
      body('no template'),
      hello('B'),
      body('{{ payload.x }}', { payload: { x: 'quotes " \' \\ and \u2028 \ud800' } }),
    ];
    expect(await renderer().renderMany(items)).toEqual([
      helloOf('A'),
      { ok: false, fault: { path: 'body', message: expect.stringContaining('nonsense') } },
      { ok: true, controls: { body: 'no template' } },
      helloOf('B'),
      { ok: true, controls: { body: 'quotes " \' \\ and \u2028 \ud800' } },
    ]);
    expect(await renderer().renderMany([])).toEqual([]);
  });

  it('renders concurrent calls with one process and with several', async () => {
    for (const processes of [1, 2]) {
      const many = renderer({ processes });
      const calls = Array.from({ length: 20 }, (_, call) =>
        Array.from({ length: 50 }, (_unused, item) => `${call}/${item}`),
      );
      const rendered = await Promise.all(calls.map((names) => many.renderMany(names.map(hello))));
      expect(rendered).toEqual(calls.map((names) => names.map(helloOf)));
    }
  });

  it('renders batches of large items', async () => {
    const long = 'x'.repeat(400 * 1024);
    const items = Array.from({ length: 20 }, (_, number) =>
      body('{{payload.long}}{{payload.number}}', { payload: { long, number } }),
    );
    const rendered = await renderer().renderMany(items);
    expect(rendered.map((one) => one.ok && one.controls['body'] === long + rendered.indexOf(one))).toEqual(
      items.map(() => true),
    );
  });

  it.each([
    ['{% include "package.json" %}', /package\.json/],
    ['{% render "../package.json" %}', /package\.json/],
    ['{% layout "x" %}', /x/],
    ['{% render "constructor" %}', /ENOENT.*constructor/],
    ['{% include "__proto__" %}', /ENOENT.*__proto__/],
    ['{{ "never closed ', /not closed/],
  ])('returns a fault that names the control for %s', async (template, reason) => {
    expect(
      await renderer().render({
        environmentId: 'e',
        controls: { subject: '{{ok}}', data: { url: template } },
        variables: {},
      }),
    ).toEqual({ ok: false, fault: { path: 'data.url', message: expect.stringMatching(reason) } });
  });

  it('limits the output of all controls together, and names the longest', async () => {
    const half = 'x'.repeat(300 * 1024);
    const more = `${half}x`;
    const one = renderer();
    const variables = { half, more };
    expect((await one.render({ environmentId: 'e', controls: { a: half, b: '{{one}}' }, variables })).ok).toBe(true);
    const oversized: JsonObject[] = [
      { a: half, b: more },
      { a: '{{half}}', b: '{{more}}', c: '{{half}}' },
      { a: '{{half}}', b: more },
      { a: half, b: '{{more}}' },
    ];
    for (const controls of oversized) {
      expect(await one.render({ environmentId: 'e', controls, variables })).toEqual({
        ok: false,
        fault: { path: 'b', message: 'renders to more than 524288 characters' },
      });
    }
  });

  it('copies of the controls only what holds templates', async () => {
    const controls: JsonObject = {
      ...{ body: 'b', data: { a: { b: 'c' } }, list: [{ a: '{{v}}' }, { a: 'x' }], skip: { '==': ['{{v}}', 1] } },
    };
    const rendering = await renderer().render({ environmentId: 'e', controls, variables: { v: 1 } });
    expect(rendering).toEqual({ ok: true, controls: { ...controls, list: [{ a: '1' }, { a: 'x' }] } });
    const { data, list } = (rendering as { controls: JsonObject }).controls;
    expect(data).toBe(controls['data']);
    expect((list as JsonObject[])[1]).toBe((controls['list'] as JsonObject[])[1]);
    expect(controls['list']).toEqual([{ a: '{{v}}' }, { a: 'x' }]);
  });

  it('refuses controls with more templates than a step may have', async () => {
    const one = renderer();
    const rendering = (count: number) => {
      const data = Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, '{{v}}']));
      return one.render({ environmentId: 'e', controls: { body: '{{v}}', data }, variables: { v: 1 } });
    };
    expect(await rendering(1_999)).toMatchObject({ ok: true, controls: { data: { k1998: '1' } } });
    const fault = { path: 'data.k1999', message: 'is one of more than 2000 templates' };
    expect(await rendering(3_000)).toEqual({ ok: false, fault });
    const data = Object.fromEntries(Array.from({ length: 3_000 }, (_, at) => [`k${at}`, '{{v}}']));
    expect(await one.templateFaults('e', [{ body: '{{', data }])).toEqual([
      [{ path: 'body', message: expect.any(String) }, fault],
    ]);
  });

  it('lets other events be handled while it fills many texts', async () => {
    const one = renderer();
    const controls = Object.fromEntries(Array.from({ length: 90 }, (_, at) => [`k${at}`, `{{v}} of ${at}`]));
    const items = (count: number) =>
      Array.from({ length: count }, (_, at) => ({ environmentId: 'e', controls, variables: { v: `v${at}` } }));
    await one.renderMany(items(2));
    let turns = 0;
    const turning = setInterval(() => (turns += 1), 0);
    const renderings = await one.renderMany(items(3_000));
    clearInterval(turning);
    expect(renderings[2_999]).toMatchObject({ ok: true, controls: { k89: 'v2999 of 89' } });
    expect(turns).toBeGreaterThan(3);
  });

  describe('limits of TemplateRenderer', () => {
    it.each(corpus(BOMBS, 5))('stops %s without affecting the other items or the process', async (_, template) => {
      const [before, bomb, after] = await renderer().renderMany([hello('A'), body(template, LONG), hello('B')]);
      expect([before, after]).toEqual([helloOf('A'), helloOf('B')]);
      expect(bomb).toEqual({
        ok: false,
        fault: { path: 'body', message: expect.stringMatching(/limit|costly|more than/) },
      });
    });

    it('ends a template at its time limit, names its control and does not block the event loop', async () => {
      const one = renderer({ timeLimitMs: 200 });
      await one.render(hello('warm'));
      const begin = performance.now();
      let turns = 0;
      const turning = setInterval(() => (turns += 1), 1);
      const rendering = await one.render({
        environmentId: 'e',
        controls: { a: '{{x}}', data: { b: NEVER_ENDS } },
        variables: {},
      });
      clearInterval(turning);
      expect(turns).toBeGreaterThan(5);
      expect(performance.now() - begin).toBeGreaterThanOrEqual(190);
      expect(rendering).toEqual({
        ok: false,
        fault: { path: 'data.b', message: 'is too costly: took longer than 200 ms' },
      });
    });

    it('ends a process that runs out of memory and renders the other items', async () => {
      const one = renderer({ heapMb: 16, timeLimitMs: 60_000 });
      const list = new Array<JsonObject>(2_500_000).fill({});
      expect(await one.renderMany([hello('A'), body('{{list.size}}', { list }), hello('B')])).toEqual([
        helloOf('A'),
        tooCostly(/more than 16 MB of memory/),
        helloOf('B'),
      ]);
    });

    it('rejects variables that are too large for a process', async () => {
      const items = [hello('A'), body('{{long}}', { long: 'x'.repeat(9_000_000) }), hello('B')];
      expect(await renderer().renderMany(items)).toEqual([
        helloOf('A'),
        tooCostly(/texts and variables are longer than 8388608 characters/),
        helloOf('B'),
      ]);
    });

    it('applies the time limit to each item, not to the batch', async () => {
      const slow = '{% for a in (1..300) %}{% for b in (1..99) %}{% endfor %}{% endfor %}';
      const one = renderer({ timeLimitMs: 1_000, processes: 1 });
      const begin = performance.now();
      const rendered = await one.renderMany(Array.from({ length: 300 }, () => body(slow)));
      expect(performance.now() - begin).toBeGreaterThan(1_000);
      expect(rendered.filter(({ ok }) => ok)).toHaveLength(300);
    });

    it('rejects a template without running it after it was too costly several times', async () => {
      const one = renderer({ timeLimitMs: 300 });
      const rendered = await one.renderMany([
        ...Array.from({ length: 50 }, () => body(NEVER_ENDS)),
        hello('A'),
        body('{% if go %}fine{% else %}' + NEVER_ENDS + '{% endif %}', { go: true }),
      ]);
      expect(rendered.slice(0, 3)).toEqual(Array.from({ length: 3 }, () => tooCostly(/longer than 300 ms/)));
      expect(rendered.slice(3, 50)).toEqual(Array.from({ length: 47 }, () => tooCostly(/again and again/)));
      expect(rendered.slice(50)).toEqual([helloOf('A'), { ok: true, controls: { body: 'fine' } }]);
    });

    it('keeps running a template that is too costly only with some variables', async () => {
      const one = renderer({ timeLimitMs: 300 });
      const sometimes = `{% if slow %}${NEVER_ENDS}{% else %}fast{% endif %}`;
      for (let round = 0; round < 2; round += 1) {
        const rendered = await one.renderMany([true, true, false].map((slow) => body(sometimes, { slow })));
        expect(rendered.map(({ ok }) => ok)).toEqual([false, false, true]);
      }
    });
  });

  it('names exactly the controls that do not compile', async () => {
    const [faults, none, costly] = await renderer().templateFaults('e', [
      {
        subject: '{{ payload.name }',
        body: 'fine {{payload.name}} {% if payload.a %}x{% endif %}',
        primaryAction: { label: '{% if x %}' },
        skip: { '==': ['{{', 1] },
      },
      { body: 'no template' },
      { list: Array.from({ length: 2_000 }, () => '{{a | append: b}}'.repeat(500)) },
    ]);
    expect(faults!.map(({ path }) => path)).toEqual(['subject', 'primaryAction.label']);
    expect(faults![0]!.message).toMatch(/not closed/);
    expect(none).toEqual([]);
    expect(costly).toEqual([{ path: expect.stringMatching(/^list\.\d+$/), message: expect.stringMatching(/costly/) }]);
  });

  it('finds each variable of the templates once without blocking the event loop', async () => {
    const one = renderer();
    expect(await one.variablesOf('e', { a: '{{payload.x}}', b: ['{{payload.x | upcase}}{{y}}'], c: '{{' })).toEqual([
      ['payload', 'x'],
      ['y'],
    ]);
    let turns = 0;
    const turning = setInterval(() => (turns += 1), 1);
    // Half a megabyte of them takes some tenths of a second.
    await one.variablesOf('e', { a: '{{a | append: b}}'.repeat(30_000) });
    clearInterval(turning);
    expect(turns).toBeGreaterThan(3);
  });

  it('rejects open and later calls once it is closed', async () => {
    const one = renderer();
    const open = [one.render(body(NEVER_ENDS)), one.render(hello('A'))].map((call) =>
      call.catch((error: Error) => error.message),
    );
    await one.close();
    expect(await Promise.all(open)).toEqual(['The renderer is closed', 'The renderer is closed']);
    await expect(one.render(hello('A'))).rejects.toThrow('The renderer is closed');
  });

  it('keeps the process alive while it renders and lets it exit afterwards', () => {
    const script = `
      const { TemplateRenderer } = require(${JSON.stringify(join(__dirname, '..', 'dist', 'template-renderer.js'))});
      new TemplateRenderer().render({ environmentId: 'e', controls: { body: 'Hi {{a}}' }, variables: { a: 1 } }).then((rendering) => {
        process.stdout.write(rendering.controls.body);
      });`;
    expect(execFileSync(process.execPath, ['-e', script], { encoding: 'utf8', timeout: 120_000 })).toBe('Hi 1');
  });
});
