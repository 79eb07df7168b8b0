/*
 * What the project's pictures have in common: how their texts look, and that
 * they are dark where the page around them is. A picture begins its <style>
 * with replay_picture_style, adds what is its own, then puts
 * replay_picture_dark, what is its own in the dark, and one more "}". Its
 * background is a rectangle of the class "bg".
 *
 * Classes: t a title, s small, m at its middle, r at its right end.
 */
#ifndef REPLAY_PICTURE_H
#define REPLAY_PICTURE_H

extern const char replay_picture_style[];
extern const char replay_picture_dark[];

#endif
