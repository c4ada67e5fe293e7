import { type EnvironmentId, newId, type StepId } from '@clarion/contracts/core';
import { SecretBox } from '@clarion/platform';
import { EmailLinks } from './email-links';

const EMAILS = 20;
const HTML = '<a href="https://x.test/">x</a>'.repeat(1_000);

describe('EmailLinks', () => {
  const [noisy, beside, quiet] = [newId<EnvironmentId>(), newId<EnvironmentId>(), newId<EnvironmentId>()];
  const links = new EmailLinks(
    { CLARION_PUBLIC_URL: 'https://own.test' },
    new SecretBox(SecretBox.generateKey()),
    {
      settingsOf: () => ({ trackOpens: true, trackClicks: true, oneClickUnsubscribe: true }) as never,
    },
    { organizations: { of: (environmentId) => (environmentId === quiet ? 'quiet' : 'noisy') } },
  );

  it('tracks the emails of an organization in turns of the event loop, and those of others between them', async () => {
    let turns = 0;
    let isOver = false;
    const count = (): void => {
      turns += 1;
      if (!isOver) setImmediate(count);
    };
    count();
    const tracked: { environmentId: EnvironmentId; turn: number }[] = [];
    const track = async (environmentId: EnvironmentId): Promise<void> => {
      const html = await links.track(HTML, { id: newId<StepId>(), environmentId });
      expect(html.split('https://own.test/t/c/')).toHaveLength(1_001);
      tracked.push({ environmentId, turn: turns });
    };
    const emails = Array.from({ length: EMAILS }, (_, at) => track(at % 2 === 0 ? noisy : beside));
    await Promise.all([...emails, track(quiet)]);
    isOver = true;
    expect(new Set(tracked.map(({ turn }) => turn)).size).toBe(EMAILS + 1);
    expect(tracked.findIndex(({ environmentId }) => environmentId === quiet)).toBeLessThan(3);
  });
});
