let isPressed = false;

// Also of a finger: a browser makes these of a tap. The page has one document, for as long as it is open.
if (typeof document !== "undefined") {
  document.addEventListener(
    "mousedown",
    () => {
      isPressed = true;
    },
    true,
  );
  document.addEventListener(
    "mouseup",
    () => {
      isPressed = false;
    },
    true,
  );
}

/**
 * Does it at once, or after the click that is under way: a field is left when the button is pressed, and a line that appears then
 * would move what is below the pointer away, so that nothing is clicked.
 */
export function afterClick(work: () => void): void {
  if (!isPressed) work();
  else document.addEventListener("mouseup", () => setTimeout(work), { capture: true, once: true });
}
