import { parseDockerfile, parseValues } from './dockerfile';
import { read } from './repository';

describe('the labels of an image', () => {
  it('names the app and the license in the labels of the image', () => {
    const labels = parseDockerfile(read('docker/Dockerfile'))
      .stages.at(-1)!
      .steps.filter(({ instruction }) => instruction === 'LABEL')
      .map(({ text }) => parseValues(text));
    expect(labels).toEqual([
      {
        'org.opencontainers.image.title': 'clarion-${APP}',
        'org.opencontainers.image.licenses': (JSON.parse(read('package.json')) as { license: string }).license,
      },
    ]);
  });
});
