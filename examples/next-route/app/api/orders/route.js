import { Novu } from '@novu/api';

export async function POST(request) {
  const { order, customer } = await request.json().catch(() => ({}));
  if (typeof order !== 'string' || typeof customer !== 'string') {
    return Response.json({ message: 'order and customer must be texts' }, { status: 422 });
  }
  const novu = new Novu({ secretKey: process.env.CLARION_API_KEY, serverURL: process.env.CLARION_URL });
  const { result } = await novu.trigger({
    workflowId: 'order-shipped',
    to: { subscriberId: customer },
    payload: { order },
    transactionId: `order-${order}-shipped`,
  });
  const isAccepted = result.status === 'processed';
  return Response.json(
    { transactionId: result.transactionId, status: result.status },
    { status: isAccepted ? 202 : 502 },
  );
}
