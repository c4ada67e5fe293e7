import type { EnvironmentExplanationDto, ExplanationDto, JsonObject } from '@clarion/contracts';
import { command, UsageError } from '../command';
import type { Output } from '../output';
import { ENVIRONMENT, ORGANIZATION, wantedEnvironments } from '../selection';
import { MOMENT, readMoment } from '../times';

export const EXPLAIN = [
  command({
    name: 'explain',
    arguments: ['subscriberId', 'workflowId'],
    options: { ...ENVIRONMENT, ...ORGANIZATION, payload: { value: '<JSON>' }, at: { value: MOMENT } },
    about:
      'every rule that a trigger of the workflow meets for the subscriber; with --at also what was really made ' +
      'around that time; 1 if nothing would be sent',
    async run({ open, output, options, isJson, arguments: [subscriberId, workflowId] }) {
      const payload = readPayload(options.payload);
      const at = options.at === undefined ? undefined : readMoment('at', options.at).toISOString();
      const tools = await open();
      const environments = await wantedEnvironments(tools, options);
      const { explainEverywhere, explanationsOf } = await import('@clarion/gateway/command-line');
      const { explanations, close } = explanationsOf(tools.database, tools.secrets);
      const question = { workflowId: workflowId!, payload, at };
      try {
        const found = await explainEverywhere(explanations, environments, subscriberId!, question);
        if (isJson) output.json(found);
        else for (const each of found) show(output, each);
        return found.some(({ outcome }) => outcome !== 'would_not_send') ? 0 : 1;
      } finally {
        await close();
      }
    },
  }),
];

function readPayload(text: string | undefined): JsonObject | undefined {
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as JsonObject;
  } catch {
    // Refused below.
  }
  throw new UsageError('--payload must be an object in JSON');
}

function show(
  output: Output,
  { environment, subscriberId, workflowId, at, outcome, blockers, rules, steps, sent }: EnvironmentExplanationDto,
): void {
  output.line(`${workflowId} to ${subscriberId} in ${environment} at ${at}: ${outcome}`);
  for (const { rule, stepId, reason, action } of blockers) {
    output.line(`  BLOCKS  ${stepId === undefined ? '' : `${stepId}, `}${rule}: ${reason}`);
    output.line(`          do: ${action}`);
  }
  const line = (depth: string, { rule, passed, detail }: ExplanationDto['rules'][number]): void =>
    output.line(`${depth}${passed ? 'passed ' : 'STOPPED'}  ${rule}: ${detail}`);
  for (const rule of rules) line('  ', rule);
  for (const step of steps) {
    output.line(`  ${step.stepId} (${step.type}): ${step.outcome}, ${step.why}`);
    for (const rule of step.rules ?? []) line('    ', rule);
  }
  if (!sent) return;
  const range = `from ${sent.after} to ${sent.before}`;
  output.line(`  ${sent.notifications.length === 0 ? 'Nothing was made' : 'Really made'} ${range}`);
  for (const notification of sent.notifications) {
    output.line(`    notification ${notification._id}, made ${notification.createdAt}`);
    for (const step of notification.steps) {
      output.line(`      ${step.stepId} (${step.type}): ${step.status}${step.reason ? `, ${step.reason}` : ''}`);
    }
  }
  if (sent.hasMore) output.line('    and older ones');
}
