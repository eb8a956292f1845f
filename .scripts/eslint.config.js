import js from "@eslint/js";

const browser = [
  ..."AbortController AudioContext Blob DOMException DOMParser Element Event HTMLButtonElement HTMLDialogElement".split(" "),
  ..."HTMLDetailsElement HTMLElement HTMLFormElement HTMLImageElement HTMLInputElement HTMLSelectElement SVGElement".split(" "),
  ..."HTMLTableElement HTMLTableRowElement ResizeObserver matchMedia HTMLTextAreaElement Intl KeyboardEvent Node Option SVGSVGElement".split(" "),
  ..."URL URLSearchParams Worker addEventListener console document fetch history localStorage location sessionStorage".split(" "),
  ..."navigator postMessage reportError Response TransformStream WebAssembly setTimeout window".split(" "),
];

export default [
  js.configs.recommended,
  {
    languageOptions: {
      globals: Object.fromEntries(browser.map((name) => [name, "readonly"])),
    },
    rules: {
      eqeqeq: "error",
      "no-eval": "error",
      "no-implicit-globals": "error",
      "no-new-func": "error",
      "no-var": "error",
      "prefer-const": "error",
    },
  },
];
