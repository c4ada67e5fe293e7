import type { Delivery, Prepared } from './channel';
import type { Account } from '../accounts/integration-directory';
import { prepareWithSecrets, renderWithSecrets } from './render-with-secrets';

const item = {
  controls: { body: 'Code {{ env.KEY }}' },
  variables: { env: { KEY: '••••' } },
  secrets: { KEY: 'hush-hush' },
};

/** Renders the key as it is and in upper case. */
const render = (items: { variables: object }[]) =>
  Promise.resolve(
    items.map(({ variables }) => {
      const { KEY } = (variables as { env: { KEY: string } }).env;
      return `Code ${KEY} ${KEY.toUpperCase()}`;
    }),
  );

describe('messages with secrets', () => {
  it('gives a provider the values, and the outbox the masks', async () => {
    const sent: string[] = [];
    const delivery = (content: string): Delivery => ({
      messageId: 'm1',
      row: { channel: 'sms', content } as Delivery['row'],
      accounts: [],
      send: (_, options) => {
        sent.push(content, ...(options?.secrets?.() ?? []));
        return Promise.resolve({ ok: true });
      },
    });
    const [contents] = await renderWithSecrets([item], render);
    const prepared = prepareWithSecrets(contents!, (content) => ({
      kind: 'deliveries',
      deliveries: [delivery(content)],
      lines: [],
    })) as Extract<Prepared, { kind: 'deliveries' }>;
    const [made] = prepared.deliveries;
    expect(made!.row.content).toBe('Code •••• ••••');
    const call = (account: object) => made!.send(account as Account);
    await call({ providerId: 'twilio' });
    expect(sent.splice(0)).toEqual(['Code hush-hush HUSH-HUSH', 'hush-hush', 'HUSH-HUSH']);
    await call({ providerId: 'twilio', sandbox: { redirectTo: '+15550001111' } });
    expect(sent.splice(0)[0]).toBe('Code hush-hush HUSH-HUSH');
    for (const account of [{ providerId: 'platform-sms' }, { providerId: 'twilio', sandbox: {} }]) {
      await call(account);
      expect(sent.splice(0)).toEqual(['Code •••• ••••']);
    }
  });

  it('keeps a value out of the fault that it causes', async () => {
    const [contents] = await renderWithSecrets([item], render);
    const prepared = prepareWithSecrets(contents!, (content): Prepared =>
      content.includes('hush')
        ? {
            kind: 'refused',
            refused: {
              admitted: false,
              state: 'failed',
              lines: [{ raw: { message: `no date: ${content}` } } as never],
            },
            messages: [],
          }
        : { kind: 'deliveries', deliveries: [], lines: [] },
    );
    expect(prepared).toMatchObject({
      refused: { lines: [{ raw: { message: 'no date: Code [redacted] [redacted]' } }] },
    });
  });
});
