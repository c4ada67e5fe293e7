import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EnvironmentAdmin } from '@clarion/gateway';
import { LayoutRepository, WorkflowRepository, EnvironmentRepository } from '@clarion/persistence';
import { SecretBox } from '@clarion/platform';
import { createTestDatabase, insertWorkflow, type TestDatabase } from '@clarion/testing';
import type { ExitCode, Run } from '../src/cli/command';
import { COMMANDS } from '../src/cli/commands';
import { Output } from '../src/cli/output';
import type { Tools } from '../src/cli/tools';

const BODY = '<p>Hello {{ payload.name }}</p>\n<p>Welcome</p>';
const FRAME = '<html>\n{{content}}\n</html>';

describe('clarion workflows', () => {
  const dir = mkdtempSync(join(tmpdir(), 'clarion-files-'));
  let test: TestDatabase;
  let tools: Pick<Tools, 'database' | 'environments'>;

  beforeAll(async () => {
    test = await createTestDatabase();
    const environments = new EnvironmentRepository(test.database);
    const admin = new EnvironmentAdmin(test.database, environments, new SecretBox(SecretBox.generateKey()));
    const { organization, environment } = await admin.createOrganization('Shop', { name: 'Development', type: 'dev' });
    await admin.createEnvironment(organization.id, { name: 'Production', type: 'prod' });
    tools = { database: test.database, environments };
    await new LayoutRepository(test.database).insert(environment.id, 'main', {
      name: 'Main',
      controlValues: { email: { body: FRAME, editorType: 'html' } },
    });
    await insertWorkflow(test.database, {
      environmentId: environment.id,
      workflowId: 'welcome',
      name: 'Welcome',
      tags: ['start'],
      steps: [
        {
          stepId: 'email',
          name: 'Email',
          type: 'email',
          controlValues: { subject: 'Hi', body: BODY, layoutId: 'main' },
        },
      ],
    });
  });
  afterAll(async () => {
    rmSync(dir, { recursive: true });
    await test.drop();
  });

  async function clarion(
    name: string,
    environment: string,
    options: object = {},
    isJson = false,
  ): Promise<{ code: ExitCode; text: string }> {
    const written: string[] = [];
    const stream = { write: (text: string | Uint8Array) => written.push(String(text)) > 0 };
    const command = COMMANDS.find((each) => each.name === `workflows ${name}`)!;
    const run = {
      arguments: [],
      options: { dir, environment, prune: false, 'detailed-exitcode': true, ...options },
      isJson,
      output: new Output(isJson, stream, stream),
      open: async () => tools as Tools,
    } as unknown as Run;
    return { code: (await command.run(run)) ?? 0, text: written.join('') };
  }

  const read = (path: string): string => readFileSync(join(dir, path), 'utf8');
  const edit = (path: string, from: string, to: string): void =>
    writeFileSync(join(dir, path), read(path).replace(from, to));

  it('writes files that people can review, and the same files every time', async () => {
    const { text } = await clarion('pull', 'Development');
    expect(text).toContain('workflows/welcome/email.body.html');
    expect(read('workflows/welcome/email.body.html')).toBe(`${BODY}\n`);
    expect(read('layouts/main/email.body.html')).toBe(`${FRAME}\n`);
    const workflow = read('workflows/welcome/workflow.json');
    expect(Object.keys(JSON.parse(workflow) as object).slice(0, 3)).toEqual(['workflowId', 'name', 'active']);
    expect(JSON.parse(workflow)).toMatchObject({
      tags: ['start'],
      steps: [{ stepId: 'email', controlValues: { body: { $file: 'email.body.html' }, subject: 'Hi' } }],
    });
    await clarion('pull', 'Development');
    expect(read('workflows/welcome/workflow.json')).toBe(workflow);
    expect((await clarion('plan', 'Development')).code).toBe(0);
  });

  it('plans the drift field by field and applies it once', async () => {
    expect((await clarion('plan', 'Production')).text).toBe(
      'add layout main\nadd workflow welcome\n2 to add, 0 to change, 0 to delete in Production\n',
    );
    expect((await clarion('plan', 'Production')).code).toBe(2);
    expect((await clarion('apply', 'Production')).text).toContain('done, publish ');
    expect(await clarion('plan', 'Production')).toEqual({
      code: 0,
      text: 'Production is what the files say: nothing to do.\n',
    });
    expect(JSON.parse((await clarion('apply', 'Production', {}, true)).text)).toEqual({
      environment: 'Production',
      changes: [],
    });

    edit('workflows/welcome/workflow.json', '"Hi"', '"Good morning"');
    edit('workflows/welcome/email.body.html', '<p>Welcome</p>', '<p>Bye</p>');
    const { text } = await clarion('plan', 'Production');
    expect(text).toContain('    steps.email.controlValues.subject: "Hi" -> "Good morning"\n');
    expect(text).toContain('body: line 2 of 2 "<p>Welcome</p>" -> line 2 of 2 "<p>Bye</p>"');
    await clarion('apply', 'Production');
    const [production] = await tools.environments
      .listOrganizations()
      .then(([organization]) => tools.environments.list(organization!.id))
      .then((all) => all.filter(({ name }) => name === 'Production'));
    const workflows = new WorkflowRepository(test.database);
    const changed = await workflows.find(production!.id, { workflowId: 'welcome' });
    expect(changed!.steps[0]!.controlValues).toMatchObject({
      subject: 'Good morning',
      body: BODY.replace('Welcome', 'Bye'),
    });
    expect(changed!.currentVersion).toBe(2);

    await insertWorkflow(test.database, { environmentId: production!.id, workflowId: 'extra' });
    expect((await clarion('plan', 'Production')).code).toBe(0);
    expect((await clarion('apply', 'Production', { prune: true })).text).toContain('delete workflow extra\n');
    expect(await workflows.find(production!.id, { workflowId: 'extra' })).toBeUndefined();
  });

  it('names the file and the field of every fault and changes nothing', async () => {
    const path = 'workflows/welcome/workflow.json';
    const valid = read(path);
    const faults: [from: string, to: string, message: string][] = [
      ['"workflowId"', '"workflwId"', 'workflwId is not a field; did you mean workflowId?'],
      ['"type": "email"', '"type": "fax"', 'steps.0.type'],
      ['"email.body.html"', '"../secret"', 'steps.0.controlValues.body: $file must be the name of a file'],
      ['"email.body.html"', '"gone.html"', 'workflows/welcome/gone.html: steps.0.controlValues.body: cannot be read'],
      ['"layoutId": "main"', '"layoutId": "none"', 'the workflow welcome needs the layout none'],
      ['{', '[', `${path}: is not JSON`],
    ];
    for (const [from, to, message] of faults) {
      edit(path, from, to);
      await expect(clarion('apply', 'Production')).rejects.toThrow(message);
      writeFileSync(join(dir, path), valid);
    }
    const frame = read('layouts/main/email.body.html');
    edit('layouts/main/email.body.html', '{{content}}', '');
    await expect(clarion('apply', 'Production')).rejects.toThrow(
      'layouts/main/layout.json: controlValues.email.body must',
    );
    writeFileSync(join(dir, 'layouts/main/email.body.html'), frame);
    symlinkSync('/proc/self/environ', join(dir, 'workflows/welcome/linked.html'));
    edit(path, '"email.body.html"', '"linked.html"');
    await expect(clarion('plan', 'Production')).rejects.toThrow('must be a file in a folder, not a link');
    rmSync(join(dir, 'workflows/welcome/linked.html'));
    writeFileSync(join(dir, path), valid);
    expect((await clarion('plan', 'Production')).code).toBe(0);
    await expect(clarion('plan', 'Production', { dir: undefined })).rejects.toThrow('--dir is missing');
  });

  it('removes the files of what no longer exists when it pulls', async () => {
    const { text } = await clarion('pull', 'Production');
    expect(text).not.toContain('removed');
    await test.database.query(`UPDATE workflow SET deleted_at = now()`);
    expect((await clarion('pull', 'Production')).text).toContain('removed');
    expect(() => read('workflows/welcome/workflow.json')).toThrow('ENOENT');
    expect(() => read('workflows/welcome/email.body.html')).toThrow('ENOENT');
  });
});
