// What the scripts use of their world that TypeScript's DOM types do not know, or know more
// narrowly: they look at elements of every kind, and ask for a property before they use it.

/** A binding of the isolated world: its text reaches the Python side. */
declare function cdpAgentReceipt(text: string): void;

// From shared_lists.py.
declare const SHOWN_SCHEMES: string[];
declare const REFERRING: string[];
declare const TEST_ID_ATTRIBUTES: string[];

interface Window {
  cdpAgent: any;
}

interface Node {
  data?: any;
  length?: any;
  localName?: any;
  shadowRoot?: any;
}

interface Element {
  alt?: any;
  assignedNodes?: any;
  content?: any;
  control?: any;
  form?: any;
  inert?: any;
  innerText?: any;
  isContentEditable?: any;
  placeholder?: any;
  title?: any;
  type?: any;
  validationMessage?: any;
  value?: any;
}

interface EventTarget {
  getAttribute?: any;
}

interface AnimationEffect {
  target?: any;
}
