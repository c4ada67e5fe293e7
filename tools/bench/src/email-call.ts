import type { Pool } from 'undici';

/** The HTTP call that Clarion makes for the email, for the baselines. */
export const emailCall = (id: string): string =>
  JSON.stringify({
    personalizations: [{ to: [{ email: 'user@example.com' }], custom_args: { id } }],
    from: { email: 'hello@example.com', name: 'Bench' },
    subject: 'Your order',
    content: [
      { type: 'text/plain', value: 'Hello Customer 1, your order 1 is on its way.' },
      { type: 'text/html', value: '<p>Hello Customer 1, your order 1 is on its way.</p>' },
    ],
  });

export const EMAIL_CALL = emailCall('message');

export async function sendEmail(http: Pool, body: string): Promise<void> {
  const answer = await http.request({
    method: 'POST',
    path: '/v3/mail/send',
    headers: { authorization: 'Bearer key', 'content-type': 'application/json' },
    body,
  });
  await answer.body.text();
  if (answer.statusCode !== 202) throw new Error(`the fake provider answered ${answer.statusCode}`);
}
