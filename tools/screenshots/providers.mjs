/** Stands for the providers of the example: most messages are accepted, some are refused as by real accounts. */
import { once } from 'node:events';
import { createServer } from 'node:http';

const FULL = { status: 400, body: { errors: [{ message: 'The recipient mailbox is full', field: 'to' }] } };
const BLOCKED = {
  status: 400,
  body: { code: 21610, message: 'Attempt to send to unsubscribed recipient', status: 400 },
};

export async function startProviders() {
  let sent = 0;
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    sent += 1;
    const refusal = body.includes('full.example') ? FULL : /15550000(07|13)/.test(body) ? BLOCKED : undefined;
    response.writeHead(refusal?.status ?? 202, {
      'content-type': 'application/json',
      'x-message-id': `example-${sent}`,
    });
    response.end(JSON.stringify(refusal?.body ?? { sid: `SM${sent}`, ok: true }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${server.address().port}`, close: () => server.close() };
}
