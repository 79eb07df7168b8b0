/* The last of some schedules is not told. */
#include "replay/scene.h"

#define SOME 6

bool __real_replay_scene_case(replay_scene_line *line,
                              const replay_scene *scene, uint32_t index);
bool __wrap_replay_scene_case(replay_scene_line *line,
                              const replay_scene *scene, uint32_t index);

bool __wrap_replay_scene_case(replay_scene_line *line,
                              const replay_scene *scene, uint32_t index)
{
    return (index < SOME || index + 1 < scene->cases) &&
           __real_replay_scene_case(line, scene, index);
}
