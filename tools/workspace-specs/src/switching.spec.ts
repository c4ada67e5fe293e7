import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Novu } from '@novu/api';
import { BULK_ACTION_KINDS, LIMITS, MIRROR_FIGURES } from '@clarion/contracts/core';
import { read, ROOT } from './repository';

const PAGE = read('docs/switching.md');

/** The names of all methods of the client, each with its area. */
function methodsOf(part: object, area?: string): string[] {
  const prototype = Object.getPrototypeOf(part) as object;
  return Object.entries(Object.getOwnPropertyDescriptors(prototype)).flatMap(([name, { get, value }]) => {
    if (name === 'constructor') return [];
    if (get) return methodsOf((part as Record<string, object>)[name]!, area ?? name);
    return typeof value === 'function' ? [area ?? 'events'] : [];
  });
}

describe('docs/switching.md', () => {
  it('counts the methods of the client as the client and its spec do', () => {
    const areas = methodsOf(new Novu({ secretKey: 'any' }));
    const counted = new Map<string, number>();
    for (const area of areas) counted.set(area, (counted.get(area) ?? 0) + 1);
    const rows = [...PAGE.matchAll(/^\| (?:`(\w+)` *|(events)[^|]*)\| (\d+) +\| (all work|works|left out)/gm)];
    const listed = new Map(rows.map(([, area, events, count]) => [area ?? events!, Number(count)]));
    expect(listed).toEqual(counted);
    const left = rows.filter(([, , , , state]) => state === 'left out').map(([, , , count]) => Number(count));
    const leftOut = left.reduce((sum, count) => sum + count, 0);
    expect(PAGE).toContain(`${areas.length - leftOut} of its ${areas.length} methods work`);
    expect(PAGE).toContain(`(${leftOut} methods)`);
    const proof = `expect([methods.length, left.length]).toEqual([${areas.length}, ${leftOut}])`;
    expect(read('apps/gateway/test/sdk-methods.spec.ts')).toContain(proof);
  });

  it('counts the methods of the older client as its page does', () => {
    const [counted] = /\b\d+ of \d+ methods work/.exec(PAGE.slice(PAGE.indexOf('@novu/node` 2:')))!;
    expect(read('docs/older-clients.md')).toContain(counted.replace(/ of (\d+) methods/, ' of its $1 methods'));
  });

  it('shows the limits of the interface', () => {
    const rows = [...PAGE.matchAll(/^\| ([^|]+)\| ([\d,]+) +\|$/gm)];
    const shown = Object.fromEntries(rows.map(([, name, value]) => [name!.trim(), Number(value!.replaceAll(',', ''))]));
    expect(shown).toEqual({
      'events in a bulk call': LIMITS.bulkEvents,
      'recipients of an event': LIMITS.recipients,
      'bytes of an event without attachments': LIMITS.eventBytes,
      'bytes of the attachments of an event': LIMITS.attachmentBytes,
      'subscribers in a bulk call': LIMITS.bulkSubscribers,
      'contexts of a trigger': LIMITS.contexts,
      'steps of a workflow': LIMITS.stepsPerWorkflow,
      "device tokens of a subscriber's channel": LIMITS.deviceTokens,
      'snooze, in days': LIMITS.snoozeDays,
      'translations of an environment': LIMITS.translations,
      'webhook endpoints of an environment': LIMITS.webhookEndpoints,
    });
    for (const value of [
      `${LIMITS.mirrorDays} days`,
      `${LIMITS.mirrorBacklog.toLocaleString('en')} copies`,
      `${LIMITS.mirrorBacklogBytes / 1024 ** 3} GiB`,
      `first ${LIMITS.mirrorDifferences.toLocaleString('en')}`,
      `more than ${LIMITS.mirrorRecipients} notifications`,
    ]) {
      expect(PAGE).toContain(value);
    }
  });

  it('names commands, figures and routes that exist', () => {
    const commands = [...PAGE.matchAll(/clarion(?: --)? (\w+)(?: (start|status|differences|stop|create|set)\b)?/g)];
    expect(commands.length).toBeGreaterThan(8);
    const families = 'apps/standalone/src/cli/families';
    const sources = readdirSync(join(ROOT, families)).map((file) => read(`${families}/${file}`));
    const written = sources.flatMap((source) =>
      [...source.matchAll(/^ +name: '([a-z -]+)',$/gm)].map(([, name]) => name!),
    );
    const known = new Set<string>([...written, ...BULK_ACTION_KINDS]);
    const named = commands.map(([, family, verb]) => (verb ? `${family} ${verb}` : family!));
    expect(named.filter((name) => !known.has(name))).toEqual([]);
    expect(MIRROR_FIGURES.filter((figure) => !PAGE.includes(`\`${figure}\``))).toEqual([]);
    const routes = [...PAGE.matchAll(/`(?:POST|PUT|GET|DELETE|PATCH) (\/v[12]\/[^`?.]+)(?:\?[^`]*)?`/g)];
    expect(routes.length).toBeGreaterThan(7);
    const normal = (path: string): string => path.replace(/\{\w+\}|:\w+/g, '{}');
    const served = read('apps/gateway/test/__snapshots__/routes.spec.ts.snap').matchAll(/^ {2}"[A-Z]+ +(\S+)/gm);
    const paths = new Set([...served].map(([, path]) => normal(path!)));
    expect(routes.map(([, path]) => normal(path!)).filter((path) => !paths.has(path))).toEqual([]);
  });
});
