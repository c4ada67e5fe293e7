import {
  AUTHORED_STEP_TYPES,
  AUTHORING_NOW,
  AUTHORING_SAMPLE,
  AUTHORING_VARIABLES,
  COMMON_CONTROLS,
  CONDITION_OPERATORS,
  controlsSchema,
  type EngineStepType,
  isChannelStepType,
  type JsonObject,
  LIQUID_FILTERS,
  OVERRIDES,
  RULE_OPERATORS,
  STEP_CONTROLS,
  STEP_EXAMPLES,
  type StepExample,
  type StepFilterDto,
  type StepPreviewDto,
  type StepTypeListDto,
  type WorkflowDto,
  type WorkflowStep,
} from '@clarion/contracts';
import { TemplateRenderer } from '@clarion/content';
import {
  decideTimer,
  delayOf,
  evaluateRunRule,
  integrationOverride,
  layoutOverride,
  matchFilters,
  providerOverrides,
  RULE_OPERATOR_NAMES,
  RUN_RULES,
  severityOverride,
  type Variables,
} from '@clarion/rules';
import Ajv from 'ajv';
import { Liquid } from 'liquidjs';
import { startGateway, type TestGateway } from './harness';

const now = new Date(AUTHORING_NOW);
const variables = AUTHORING_SAMPLE as unknown as Variables;

describe('the reference for authors', () => {
  const renderer = new TemplateRenderer();
  afterAll(() => renderer.close());

  it('renders the example of every variable and filter to the stated result', async () => {
    const described = [...AUTHORING_VARIABLES, ...LIQUID_FILTERS];
    const renderings = await renderer.renderMany(
      described.map(({ example }) => ({
        environmentId: 'authoring',
        controls: { text: example },
        variables: AUTHORING_SAMPLE,
      })),
    );
    const results = renderings.map((rendering, index) => [
      described[index]!.name,
      rendering.ok ? rendering.controls['text'] : rendering.fault.message,
    ]);
    expect(results).toEqual(described.map(({ name, result }) => [name, result]));
  });

  it('lists every filter of Liquid and every variable of templates', () => {
    const known = [...Object.keys(new Liquid().filters), 'digest', 'toSentence', 'pluralize'];
    expect(LIQUID_FILTERS.map(({ name }) => name).sort()).toEqual(known.sort());
    const roots = new Set(AUTHORING_VARIABLES.map(({ name }) => name.split('.')[0]));
    expect([...roots].sort()).toEqual(Object.keys(AUTHORING_SAMPLE).sort());
  });

  it('evaluates the example of every operator to the stated result', () => {
    const conditions = CONDITION_OPERATORS.map(({ name, example }) => {
      const group = { isNegated: false, type: 'GROUP', value: 'AND', children: [example] } as unknown as StepFilterDto;
      return [name, matchFilters([group], variables).passed];
    });
    expect(conditions).toEqual(CONDITION_OPERATORS.map(({ name, result }) => [name, result]));
    const rules = RULE_OPERATORS.map(({ name, example }) => [name, evaluateRunRule(example, variables, now)]);
    expect(rules).toEqual(RULE_OPERATORS.map(({ name, result }) => [name, { run: result }]));
    expect(RULE_OPERATORS.map(({ name }) => name).sort()).toEqual([...RULE_OPERATOR_NAMES].sort());
  });

  it('applies the example of every override with the stated result', () => {
    const hour = { amount: 1, unit: 'hours' };
    const applied = OVERRIDES.map(({ path, example: overrides, result }) => {
      const wait = delayOf({ controls: hour, variables, overrides, now });
      const layout = layoutOverride(overrides, 'mail');
      const of = (channel: 'email' | 'sms' | 'push', stepId: string, providerId: string) =>
        providerOverrides(overrides, { channel, stepId, providerId });
      const effects: JsonObject = {
        email: of('email', 'mail', 'sendgrid'),
        sms: of('sms', 'text', 'twilio'),
        push: of('push', 'push', 'fcm'),
        integration: integrationOverride(overrides, 'email') ?? null,
        severity: severityOverride(overrides) ?? null,
        ...(layout.given && { layoutId: layout.layoutId }),
        ...(wait.ok && { waitsUntil: wait.until.toISOString() }),
      };
      return [path, Object.fromEntries(Object.keys(result).map((name) => [name, effects[name]]))];
    });
    expect(applied).toEqual(OVERRIDES.map(({ path, result }) => [path, result]));
  });

  it('decides the example of every step of the engine as stated', async () => {
    for (const { type, says, controlValues, result } of STEP_EXAMPLES.filter((each) => !isChannelStepType(each.type))) {
      const rendering = await renderer.render({
        environmentId: 'authoring',
        controls: controlValues,
        variables: AUTHORING_SAMPLE,
      });
      const authored = { filters: [], controlValues };
      const facts = { type: type as EngineStepType, authored, variables, now, timezone: 'UTC' };
      const verdict = decideTimer(facts as never, rendering.ok ? rendering.controls : {});
      const { until, ...rest } = verdict as unknown as JsonObject & { until?: Date };
      const decided: JsonObject = { ...rest, ...(until && { waitsUntil: until.toISOString() }) };
      expect([says, Object.fromEntries(Object.keys(result).map((name) => [name, decided[name]]))]).toEqual([
        says,
        result,
      ]);
    }
  });

  it('has an example of every control', () => {
    const shown = (type: string): string[] =>
      STEP_EXAMPLES.filter((each) => each.type === type).flatMap((each) => Object.keys(each.controlValues));
    const missing = AUTHORED_STEP_TYPES.flatMap((type) =>
      Object.keys(STEP_CONTROLS[type].controls)
        .filter((name) => !shown(type).includes(name))
        .map((name) => `${type}.${name}`),
    );
    expect(missing).toEqual([]);
    expect(Object.keys(COMMON_CONTROLS).sort()).toEqual([...RUN_RULES].sort());
  });

  describe('at the gateway', () => {
    let gateway: TestGateway;

    beforeAll(async () => {
      gateway = await startGateway();
    });
    afterAll(() => gateway.close());

    it('returns schemas that accept every example and refuse an empty step', async () => {
      const { status, body } = await gateway.call<StepTypeListDto>('GET', '/v2/step-types');
      expect(status).toBe(200);
      expect(body.data.map(({ type }) => type)).toEqual(AUTHORED_STEP_TYPES);
      expect(body.data.filter(({ isChannel }) => isChannel).map(({ type }) => type)).toEqual(
        AUTHORED_STEP_TYPES.filter(isChannelStepType),
      );
      const ajv = new Ajv({ strict: false, validateFormats: false });
      for (const { type, controls } of body.data) {
        expect(controls).toEqual(controlsSchema(type));
        const validate = ajv.compile(controls);
        for (const { controlValues } of STEP_EXAMPLES.filter((each) => each.type === type)) {
          expect([controlValues, validate(controlValues)]).toEqual([controlValues, true]);
        }
        expect([type, validate({})]).toEqual([type, type === 'custom']);
      }
    });

    it('saves every example without an issue and previews those of channels as stated', async () => {
      const examples = STEP_EXAMPLES.map(({ type, controlValues }, index) => ({
        ...{ name: type, type, stepId: `example-${index}`, controlValues },
      }));
      // The step that the example of a delay waits for.
      const mail = { name: 'Mail', type: 'email', stepId: 'mail', controlValues: { subject: 'x', body: 'y' } };
      const steps = [mail, ...examples];
      // Templates of the email read the output of these steps in the sample.
      const body = { name: 'Examples', workflowId: 'order', steps };
      const saved = (await gateway.call<WorkflowDto>('POST', '/v2/workflows', body)).body;
      const issues = saved.steps.map(({ issues: found }) => (found as WorkflowStep['issues'])?.controls ?? {});
      expect(issues).toEqual(steps.map(() => ({})));
      for (const [index, example] of STEP_EXAMPLES.entries()) {
        if (isChannelStepType(example.type)) await expectPreview(`example-${index}`, example);
      }
    });

    async function expectPreview(stepId: string, { result }: StepExample): Promise<void> {
      const { workflow: _, step: __, ...previewPayload } = AUTHORING_SAMPLE;
      const path = `/v2/workflows/order/step/${stepId}/preview`;
      const { body } = await gateway.call<StepPreviewDto>('POST', path, { previewPayload });
      expect(body.result?.preview).toMatchObject(result);
    }
  });
});
