// Builtins, captured before any code of the surface: it may replace them, by
// accident more often than on purpose, and must not break its own bridge by it.
const call = Function.prototype.call.bind(Function.prototype.call);
const { parse, stringify } = JSON;
const { defineProperty, freeze, keys } = Object;
const { isArray } = Array;
const { isFinite } = Number;
const { min, max, ceil, abs } = Math;
const hasOwn = Object.prototype.hasOwnProperty;
const slice = Array.prototype.slice;
const test = RegExp.prototype.test;
const exec = RegExp.prototype.exec;
const encoder = new TextEncoder();
const encode = TextEncoder.prototype.encode;
const ErrorType = Error;
const TypeErrorType = TypeError;
const RangeErrorType = RangeError;

const now = performance.now.bind(performance);
const later = window.setTimeout.bind(window);
const nextFrame = window.requestAnimationFrame.bind(window);
const listenTo = EventTarget.prototype.addEventListener;
const stopNow = Event.prototype.stopImmediatePropagation;
const portPost = MessagePort.prototype.postMessage;
const openDocument = Document.prototype.open;
const writeDocument = Document.prototype.write;
const closeDocument = Document.prototype.close;
const createElement = Document.prototype.createElement;
const append = Element.prototype.append;
const remove = Element.prototype.remove;
const setAttribute = Element.prototype.setAttribute;
const getRect = Element.prototype.getBoundingClientRect;
const setProperty = CSSStyleDeclaration.prototype.setProperty;
const removeProperty = CSSStyleDeclaration.prototype.removeProperty;
const ResizeObserverType = ResizeObserver;
const MutationObserverType = MutationObserver;

const host = window.parent;
const namespace = "lineup.surface.v1";
