import type { Node } from 'prosemirror-model';
import type { NodeView } from 'prosemirror-view';
import { labelOf } from './labels';
import { textOf } from './schema';

/** A container with a line above its content that says what it does. */
function framed(node: Node, line: (node: Node) => string): NodeView {
  const dom = document.createElement('div');
  const head = document.createElement('span');
  const contentDOM = document.createElement('div');
  dom.dataset['block'] = node.type.name;
  head.dataset['part'] = 'head';
  head.contentEditable = 'false';
  dom.append(head, contentDOM);
  const show = (shown: Node): void => {
    head.textContent = line(shown);
  };
  show(node);
  return {
    dom,
    contentDOM,
    update(next) {
      if (next.type !== node.type) return false;
      show(next);
      return true;
    },
    ignoreMutation: (mutation) => !contentDOM.contains(mutation.target),
  };
}

const repeated = (node: Node): NodeView =>
  framed(node, (shown) => `Repeat for each item of ${labelOf(textOf(shown, 'each')) || '… (choose a list below)'}`);

export const nodeViews: Record<string, (node: Node) => NodeView> = {
  repeat: repeated,
  for: repeated,
  htmlCodeBlock: (node) => framed(node, () => 'HTML'),
};
