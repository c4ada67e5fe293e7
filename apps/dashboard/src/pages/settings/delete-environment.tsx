import { api, unwrap } from '../../api/client';
import { TypedConfirm } from '../../ui/dialog';
import { type Environment, reloadEnvironments } from './environments-data';

type DeleteEnvironmentProps = { environment: Environment; onDeleted(): void; onClose(): void };

export function DeleteEnvironment({ environment, onDeleted, onClose }: DeleteEnvironmentProps) {
  const { _id: environmentId, name } = environment;
  return (
    <TypedConfirm
      title={`Delete ${name}?`}
      action="Delete"
      typed={name}
      environmentId={environmentId}
      run={() => unwrap(api.DELETE('/v1/environments/{environmentId}', { params: { path: { environmentId } } }))}
      done={`${name} is deleted.`}
      then={() => {
        reloadEnvironments();
        onDeleted();
      }}
      onClose={onClose}
    >
      <p>
        Its keys are refused at once, and nothing of it is sent any more. All its subscribers, workflows, integrations
        and messages are deleted. This cannot be undone.
      </p>
    </TypedConfirm>
  );
}
