import { createServer } from 'node:http';
import { Novu } from '@novu/api';

const { CLARION_URL = 'http://127.0.0.1:3000', CLARION_API_KEY, PORT = '4000' } = process.env;
if (!CLARION_API_KEY) throw new Error('Set CLARION_API_KEY to a key of Clarion');

const novu = new Novu({ secretKey: CLARION_API_KEY, serverURL: CLARION_URL });

/** Creates the workflow, unless it exists. */
async function prepare() {
  const workflowId = 'order-shipped';
  const known = await novu.workflows.list({ query: workflowId });
  if (known.result.workflows.some((workflow) => workflow.workflowId === workflowId)) return;
  await novu.workflows.create({
    name: 'Order shipped',
    workflowId,
    active: true,
    tags: ['orders'],
    steps: [
      {
        name: 'Inbox',
        type: 'in_app',
        controlValues: {
          subject: 'Order {{payload.order}}',
          body: 'Your order {{payload.order}} is on its way.',
          primaryAction: { label: 'Track', redirect: { url: 'https://example.com/track', target: '_blank' } },
        },
      },
    ],
  });
}

/** A repeated request has the same transaction id, so the customer is notified once. */
async function ship(order, customer) {
  const { result } = await novu.trigger({
    workflowId: 'order-shipped',
    to: { subscriberId: customer },
    payload: { order },
    transactionId: `order-${order}-shipped`,
  });
  if (result.status !== 'processed') throw new Error(`The event was not accepted: ${result.status}`);
  return { transactionId: result.transactionId };
}

async function bodyOf(request) {
  let text = '';
  for await (const chunk of request) text += chunk;
  return text === '' ? {} : JSON.parse(text);
}

const server = createServer(async (request, response) => {
  const answer = (status, body) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  const [, order] = /^\/orders\/(\w+)\/ship$/.exec(request.url) ?? [];
  if (request.method !== 'POST' || order === undefined) return answer(404, { message: 'POST /orders/<id>/ship' });
  try {
    const { customer } = await bodyOf(request);
    if (typeof customer !== 'string') return answer(422, { message: 'customer must be a subscriberId' });
    return answer(202, await ship(order, customer));
  } catch (error) {
    console.error(error);
    return answer(502, { message: 'The notification was not accepted' });
  }
});

await prepare();
server.listen(Number(PORT), '127.0.0.1', () => {
  console.log(`Ready: POST http://127.0.0.1:${server.address().port}/orders/<id>/ship`);
});
