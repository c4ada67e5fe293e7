import { useMutation } from '@tanstack/react-query';
import { api, unwrap } from '../../api/client';
import { showToast } from '../../ui/toasts';
import { TypedConfirm } from '../../ui/typed-confirm';
import { type Environment, reloadEnvironments } from './environments-data';

type DeleteEnvironmentProps = { environment: Environment; onDeleted(): void; onClose(): void };

export function DeleteEnvironment({ environment, onDeleted, onClose }: DeleteEnvironmentProps) {
  const { _id: environmentId, name } = environment;
  const remove = useMutation({
    mutationFn: () => unwrap(api.DELETE('/v1/environments/{environmentId}', { params: { path: { environmentId } } })),
    onSuccess: () => {
      showToast(`${name} is deleted.`);
      reloadEnvironments();
      onDeleted();
    },
  });
  return (
    <TypedConfirm
      title={`Delete ${name}?`}
      action="Delete"
      typed={name}
      isBusy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      <p>
        Its keys are refused at once, and nothing of it is sent any more. All its subscribers, workflows, integrations
        and messages are deleted. This cannot be undone.
      </p>
    </TypedConfirm>
  );
}
