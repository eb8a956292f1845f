import js from "@eslint/js";

const browser = [
  ..."AbortController AudioContext Blob DOMParser Element Event HTMLButtonElement HTMLDialogElement".split(" "),
  ..."HTMLDetailsElement HTMLElement HTMLFormElement HTMLInputElement HTMLSelectElement SVGElement".split(" "),
  ..."HTMLTableElement HTMLTableRowElement matchMedia HTMLTextAreaElement Intl KeyboardEvent Node Option SVGSVGElement".split(" "),
